#include "reach/bdd_relation.h"

#include <stdlib.h>

typedef struct Builder {
  BddTranslator *translator;
  const BddWords *words;
  const BddLive *live;
  EdgeId edge;
  const Transition *transition;
  BddRelation *relation;
  Account *account;
} Builder;

static bool stopped(const Builder *b) { return bdd_translator_stopped(b->translator); }

// --- cubes ---

static int by_variable(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// From the last variable up, so that each one only adds a node at the top.
static Bdd cube_of(U32Vector *variables) {
  if (variables->count > 1) qsort(variables->data, variables->count, sizeof *variables->data, by_variable);
  Bdd cube = BDD_TRUE;
  for (size_t i = variables->count; i-- > 0;) {
    Bdd variable = bdd_space_variable(variables->data[i]);
    bdd_space_and_into(&cube, variable);
    bdd_space_drop(variable);
  }
  return cube;
}

static void add_open_bits(const BddWords *w, uint32_t word, uint32_t offset, U32Vector *variables) {
  for (uint32_t i = 0; i < w->words.data[word].width; i++) {
    const BddBit *bit = bdd_word_bit(w, word, i);
    if (bit->known == BIT_OPEN) U32Vector_push(variables, bit->variable + offset);
  }
}

// --- the parts of a relation ---

static void add_part(Builder *b, Bdd part) {
  // Nodes of parts that are joined, and their product: what joining them may cost.
  enum { MOST_JOINED = 2000, MOST_WORK = 100000 };
  BddPartVector *parts = &b->relation->parts;
  if (parts->count > 0) {
    BddPart *last = BddPartVector_last(parts);
    size_t mine = bdd_space_size(part), there = bdd_space_size(last->relation);
    if (mine + there < MOST_JOINED && mine * there < MOST_WORK) {
      bdd_space_and_into(&last->relation, part);
      bdd_space_drop(part);
      return;
    }
  }
  BddPartVector_push(parts, (BddPart){.relation = part, .forget = BDD_TRUE});
}

// Is the value, after the edge, one that somebody will look at?
static bool is_kept(const Builder *b, uint32_t word) {
  return word != NO_ID && !bdd_live_is_dead_after(b->live, b->edge, word);
}

static const AigLiteral *literals_of(const Builder *b, Term value) {
  return bitblast_term(&b->translator->words->blaster, value);
}

// Bits that are set to an input of the edge: the next variable is the input.
static void find_inputs(Builder *b) {
  const BddWords *w = b->words;
  Map *stand_ins = &b->translator->input_variable;
  for (uint32_t i = 0; i < b->transition->update_count; i++) {
    const Update *update = bdd_update(w, b->transition, i);
    uint32_t word = bdd_word_of(w, update->variable);
    if (!is_kept(b, word)) continue;
    const AigLiteral *literals = literals_of(b, update->value);
    for (uint32_t k = 0; k < w->words.data[word].width; k++) {
      uint32_t node = aig_node(literals[k]);
      if (aig_is_inverted(literals[k]) || node == 0 || aig_is_gate(&w->aig, node)) continue;
      uint32_t input = aig_input_index(&w->aig, node);
      bool fresh = w->words.data[w->bits.data[w->bit_of_input.data[input]].word].fresh;
      const BddBit *bit = bdd_word_bit(w, word, k);
      if (fresh && bit->known == BIT_OPEN && !map_contains(stand_ins, input))
        map_put(stand_ins, input, bit->variable + 1);
    }
  }
}

// What the next bits of the word are.
static void add_word(Builder *b, uint32_t word, Term value) {
  for (uint32_t k = 0; k < b->words->words.data[word].width && !stopped(b); k++) { // the lowest bit is at the bottom
    const BddBit *bit = bdd_word_bit(b->words, word, k);
    if (bit->known != BIT_OPEN) continue;
    Bdd next = bdd_space_variable(bit->variable + 1), now = bdd_translate(b->translator, literals_of(b, value)[k]);
    bdd_space_replace(&next, bdd_space_equal(next, now));
    bdd_space_drop(now);
    add_part(b, next);
  }
}

static void add_updates(Builder *b) {
  const BddWords *w = b->words;
  U32Vector forgotten, next;
  U32Vector_init(&forgotten, b->account);
  U32Vector_init(&next, b->account);
  Map changed;
  map_init(&changed, b->account);
  for (uint32_t i = 0; i < b->transition->update_count && !stopped(b); i++) {
    const Update *update = bdd_update(w, b->transition, i);
    uint32_t word = bdd_word_of(w, update->variable);
    if (word == NO_ID) continue;
    map_put(&changed, word, 1);
    add_open_bits(w, word, 0, &forgotten);
    if (!is_kept(b, word)) continue;
    add_open_bits(w, word, 1, &next);
    add_word(b, word, update->value);
  }
  U32Vector dead;
  U32Vector_init(&dead, b->account);
  bdd_live_forgotten(b->live, b->edge, &dead);
  for (size_t i = 0; i < dead.count; i++)
    if (!map_contains(&changed, dead.data[i])) add_open_bits(w, dead.data[i], 0, &forgotten);
  b->relation->forgotten = cube_of(&forgotten);
  b->relation->next = cube_of(&next);
  U32Vector_free(&dead);
  map_free(&changed);
  U32Vector_free(&next);
  U32Vector_free(&forgotten);
}

// Each variable that is to be forgotten goes with the last part that mentions it.
static void schedule(Builder *b) {
  BddRelation *relation = b->relation;
  Map last; // variable -> part plus one
  map_init(&last, b->account);
  for (size_t i = 0; i < relation->parts.count; i++) {
    Bdd support = bdd_space_support(relation->parts.data[i].relation);
    for (Bdd at = support; at != BDD_TRUE && at != BDD_FALSE; at = bdd_space_high(at))
      map_put(&last, bdd_space_top(at), i + 1);
    bdd_space_drop(support);
  }
  const Bdd cubes[] = {relation->forgotten, relation->inputs};
  for (size_t i = 0; i <= relation->parts.count; i++) {
    U32Vector mine;
    U32Vector_init(&mine, b->account);
    for (size_t k = 0; k < 2; k++)
      for (Bdd at = cubes[k]; at != BDD_TRUE && at != BDD_FALSE; at = bdd_space_high(at))
        if (map_get_or(&last, bdd_space_top(at), 0) == i) U32Vector_push(&mine, bdd_space_top(at));
    *(i == 0 ? &relation->forget : &relation->parts.data[i - 1].forget) = cube_of(&mine);
    U32Vector_free(&mine);
  }
  map_free(&last);
}

// --- all ---

static Bdd input_cube(const Builder *b) {
  const BddWords *w = b->words;
  U32Vector variables;
  U32Vector_init(&variables, b->account);
  for (uint32_t i = 0; i < b->transition->fresh_count; i++) {
    uint32_t word = bdd_word_of(w, w->transitions->fresh.data[b->transition->first_fresh + i]);
    if (word != NO_ID) add_open_bits(w, word, 0, &variables);
  }
  Bdd cube = cube_of(&variables);
  U32Vector_free(&variables);
  return cube;
}

// The states in which a condition of the edge holds for some inputs.
static Bdd states_where(Builder *b, Term condition) {
  Bdd states = bdd_translate_condition(b->translator, condition);
  if (!stopped(b)) bdd_space_replace(&states, bdd_space_exists(states, b->relation->inputs));
  bdd_translator_forget(b->translator);
  return states;
}

BddRelation bdd_relation_build(BddTranslator *translator, const BddLive *live, EdgeId edge, Account *account) {
  BddRelation relation = {.built = true, .forget = BDD_TRUE, .next = BDD_TRUE, .forgotten = BDD_TRUE};
  BddPartVector_init(&relation.parts, account);
  Builder b = {.translator = translator, .words = translator->words, .live = live, .edge = edge};
  b.transition = &b.words->transitions->edges.data[edge];
  b.relation = &relation;
  b.account = account;
  relation.inputs = input_cube(&b);
  uint8_t flags = b.words->edges.data[edge];
  if (b.transition->missed != TERM_NONE) relation.missed = states_where(&b, b.transition->missed);
  if (flags & EDGE_CHANGES) {
    find_inputs(&b);
    add_part(&b, bdd_translate_condition(translator, b.transition->guard));
    add_updates(&b);
    bdd_translator_forget(translator);
    if (!stopped(&b)) schedule(&b);
  } else if (flags & EDGE_TAKEN) {
    relation.enabled = states_where(&b, b.transition->guard);
  }
  stopped(&b);
  return relation;
}

void bdd_relation_drop(BddRelation *relation) {
  for (size_t i = 0; i < relation->parts.count; i++) {
    bdd_space_drop(relation->parts.data[i].relation);
    bdd_space_drop(relation->parts.data[i].forget);
  }
  BddPartVector_free(&relation->parts);
  const Bdd all[] = {relation->forget, relation->enabled, relation->missed,
                     relation->inputs, relation->next,    relation->forgotten};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) bdd_space_drop(all[i]);
  *relation = (BddRelation){.built = true};
}
