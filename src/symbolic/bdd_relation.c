#include "symbolic/bdd_relation.h"

#include <stdlib.h>

typedef struct Builder {
  BddTranslator *translator;
  const Words *words;
  const LiveWords *live;
  EdgeId edge;
  bool kept;
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

// Builds from the last variable up, so that each variable only adds a node at the top.
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

static void add_open_bits(const Words *w, uint32_t word, uint32_t offset, U32Vector *variables) {
  for (uint32_t i = 0; i < w->words.data[word].width; i++) {
    const WordBit *bit = words_bit(w, word, i);
    if (bit->known == BIT_OPEN) U32Vector_push(variables, bit->variable + offset);
  }
}

// --- the parts of a relation ---

static void add_part(Builder *b, Bdd part) {
  // Limits for joining two parts: the sum of their nodes, and the product, which is the possible cost.
  enum { MOST_JOINED = 2000, MOST_WORK = 100000 };
  BddPartVector *parts = &b->relation->parts;
  if (parts->count > (b->relation->direct ? 1u : 0u)) { // the guard of a direct edge stays alone
    BddPart *last = BddPartVector_last(parts);
    size_t size = bdd_space_size(part);
    if (size + last->size >= MOST_JOINED) last->size = bdd_space_size(last->relation);
    if (size + last->size < MOST_JOINED && size * last->size < MOST_WORK) {
      last->size += size;
      bdd_space_and_into(&last->relation, part);
      bdd_space_drop(part);
      return;
    }
  }
  BddPartVector_push(parts, (BddPart){.relation = part, .forget = BDD_TRUE, .size = bdd_space_size(part)});
}

// Is it a word that may be read after the edge?
static bool may_be_live_after(const Builder *b, uint32_t word) {
  return word != NO_ID && !live_words_dead_after(b->live, b->edge, word);
}

static const AigLiteral *literals_of(const Builder *b, Term value) {
  return bitblast_term(&b->translator->words->blaster, value);
}

// If a bit is set to an input of the edge, the bit's next variable stands for the input.
static void find_inputs(Builder *b) {
  const Words *w = b->words;
  Map *stand_ins = &b->translator->input_variable;
  for (uint32_t i = 0; i < b->transition->update_count; i++) {
    const Update *update = words_update(w, b->transition, i);
    uint32_t word = words_find(w, update->variable);
    if (!may_be_live_after(b, word)) continue;
    const AigLiteral *literals = literals_of(b, update->value);
    for (uint32_t k = 0; k < w->words.data[word].width; k++) {
      uint32_t node = aig_node(literals[k]);
      if (aig_is_inverted(literals[k]) || node == 0 || aig_is_gate(&w->aig, node)) continue;
      uint32_t input = aig_input_index(&w->aig, node);
      bool fresh = w->words.data[w->bits.data[w->bit_of_input.data[input]].word].fresh;
      const WordBit *bit = words_bit(w, word, k);
      if (fresh && bit->known == BIT_OPEN && !map_contains(stand_ins, input))
        map_put(stand_ins, input, bit->variable + 1);
    }
  }
}

// A bit of the state that the edge may change.
typedef struct ChangedBit {
  uint32_t variable; // the current one
  AigLiteral value;
  Bdd diagram; // of the value
} ChangedBit;
VECTOR(ChangedBitVector, ChangedBit);

static int from_the_bottom(const void *a, const void *b) {
  uint32_t x = ((const ChangedBit *)a)->variable, y = ((const ChangedBit *)b)->variable;
  return (x < y) - (x > y);
}

// Lists the changed bits, from the last variable up, so that a product of their parts mostly grows at its top; and the
// bits of words that are written and dead.
static void list_changed(Builder *b, ChangedBitVector *changed, U32Vector *forgotten) {
  const Words *w = b->words;
  for (uint32_t i = 0; i < b->transition->update_count; i++) {
    const Update *update = words_update(w, b->transition, i);
    uint32_t word = words_find(w, update->variable);
    if (word == NO_ID) continue;
    if (!may_be_live_after(b, word)) {
      add_open_bits(w, word, 0, forgotten);
      continue;
    }
    const AigLiteral *literals = literals_of(b, update->value);
    for (uint32_t k = 0; k < w->words.data[word].width; k++) {
      const WordBit *bit = words_bit(w, word, k);
      if (bit->known != BIT_OPEN) continue;
      ChangedBitVector_push(changed, (ChangedBit){.variable = bit->variable, .value = literals[k]});
    }
  }
  if (changed->count > 1) qsort(changed->data, changed->count, sizeof *changed->data, from_the_bottom);
}

// Translates the values of the changed bits. Removes bits that keep their value.
static void translate_changed(Builder *b, ChangedBitVector *changed) {
  size_t kept = 0;
  for (size_t i = 0; i < changed->count && !stopped(b); i++) {
    ChangedBit bit = changed->data[i];
    bit.diagram = bdd_translate(b->translator, bit.value);
    Bdd same = bdd_space_variable(bit.variable);
    if (bit.diagram == same)
      bdd_space_drop(bit.diagram);
    else
      changed->data[kept++] = bit;
    bdd_space_drop(same);
  }
  changed->count = kept;
}

// Does the diagram mention only current variables of bits that the edge does not change?
static bool mentions_only_unchanged(const Builder *b, Bdd diagram, const Map *changed) {
  Bdd support = bdd_space_support(diagram);
  bool fine = true;
  for (Bdd at = support; at != BDD_TRUE && fine; at = bdd_space_high(at)) {
    uint32_t variable = bdd_space_top(at), bit = b->words->bit_of_variable.data[variable];
    fine = bit != NO_ID && b->words->bits.data[bit].variable == variable && !map_contains(changed, variable);
  }
  bdd_space_drop(support);
  return fine;
}

// A direct edge needs no next variables: no new value depends on a bit that it changes, so the old values of these bits
// can be forgotten first.
static bool is_direct(const Builder *b, const ChangedBitVector *changed) {
  if (!b->kept || stopped(b) || b->relation->inputs != BDD_TRUE) return false;
  Map variables;
  map_init(&variables, b->account);
  for (size_t i = 0; i < changed->count; i++) map_put(&variables, changed->data[i].variable, 1);
  bool direct = true;
  for (size_t i = 0; i < changed->count && direct; i++)
    direct = mentions_only_unchanged(b, changed->data[i].diagram, &variables);
  map_free(&variables);
  return direct;
}

static void add_changed(Builder *b, const ChangedBit *bit) {
  uint32_t variable = bit->variable + (b->relation->direct ? 0 : 1);
  Bdd after = bdd_space_variable(variable), part = bdd_space_equal(after, bit->diagram);
  bdd_space_drop(after);
  add_part(b, part);
}

// Lists the bits of words that die on the edge and that it does not write.
static void list_dying(Builder *b, U32Vector *forgotten) {
  Map written;
  map_init(&written, b->account);
  for (uint32_t i = 0; i < b->transition->update_count; i++)
    map_put(&written, words_find(b->words, words_update(b->words, b->transition, i)->variable), 1);
  U32Vector dying;
  U32Vector_init(&dying, b->account);
  live_words_forgotten(b->live, b->edge, &dying);
  for (size_t i = 0; i < dying.count; i++)
    if (!map_contains(&written, dying.data[i])) add_open_bits(b->words, dying.data[i], 0, forgotten);
  U32Vector_free(&dying);
  map_free(&written);
}

static void add_updates(Builder *b) {
  ChangedBitVector changed;
  U32Vector dying, written;
  ChangedBitVector_init(&changed, b->account);
  U32Vector_init(&dying, b->account);
  U32Vector_init(&written, b->account);
  list_changed(b, &changed, &dying);
  list_dying(b, &dying);
  translate_changed(b, &changed);
  b->relation->direct = is_direct(b, &changed);
  for (size_t i = 0; i < changed.count; i++) {
    if (!stopped(b)) add_changed(b, &changed.data[i]);
    bdd_space_drop(changed.data[i].diagram);
    U32Vector_push(&written, changed.data[i].variable);
  }
  b->relation->written = cube_of(&written);
  b->relation->dying = cube_of(&dying);
  U32Vector_free(&written);
  U32Vector_free(&dying);
  ChangedBitVector_free(&changed);
}

// Each variable that is to be forgotten is forgotten with the last part that mentions it.
static void assign_forgetting(Builder *b) {
  BddRelation *relation = b->relation;
  Map last; // variable -> part plus one
  map_init(&last, b->account);
  for (size_t i = 0; i < relation->parts.count; i++) {
    Bdd support = bdd_space_support(relation->parts.data[i].relation);
    for (Bdd at = support; at != BDD_TRUE && at != BDD_FALSE; at = bdd_space_high(at))
      map_put(&last, bdd_space_top(at), i + 1);
    bdd_space_drop(support);
  }
  if (relation->direct) // the bits that are written are forgotten with the guard
    for (Bdd at = relation->written; at != BDD_TRUE && at != BDD_FALSE; at = bdd_space_high(at))
      map_put(&last, bdd_space_top(at), 1);
  const Bdd cubes[] = {relation->written, relation->dying, relation->inputs};
  for (size_t i = 0; i <= relation->parts.count; i++) {
    U32Vector variables;
    U32Vector_init(&variables, b->account);
    for (size_t k = 0; k < 3; k++)
      for (Bdd at = cubes[k]; at != BDD_TRUE && at != BDD_FALSE; at = bdd_space_high(at))
        if (map_get_or(&last, bdd_space_top(at), 0) == i) U32Vector_push(&variables, bdd_space_top(at));
    *(i == 0 ? &relation->forget : &relation->parts.data[i - 1].forget) = cube_of(&variables);
    U32Vector_free(&variables);
  }
  map_free(&last);
}

// --- all ---

Bdd bdd_edge_inputs(const Words *w, EdgeId edge, Account *account) {
  const Transition *transition = &w->transitions->edges.data[edge];
  U32Vector variables;
  U32Vector_init(&variables, account);
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    uint32_t word = words_find(w, w->transitions->fresh.data[transition->first_fresh + i]);
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

BddRelation bdd_relation_build(BddTranslator *translator, const LiveWords *live, BddRelationRequest request,
                               Account *account) {
  assert(translator->words && request.edge < translator->words->edges.count);
  BddRelation relation = {.built = true, .forget = BDD_TRUE, .written = BDD_TRUE, .dying = BDD_TRUE};
  BddPartVector_init(&relation.parts, account);
  Builder b = {
      .translator = translator, .words = translator->words, .live = live, .edge = request.edge, .kept = request.kept};
  b.transition = &b.words->transitions->edges.data[request.edge];
  b.relation = &relation;
  b.account = account;
  relation.inputs = bdd_edge_inputs(b.words, request.edge, account);
  uint8_t flags = b.words->edges.data[request.edge];
  if (b.transition->missed != TERM_NONE) relation.missed = states_where(&b, b.transition->missed);
  if (flags & EDGE_CHANGES) {
    if (request.condition == BDD_TRUE) find_inputs(&b); // otherwise it may mention the inputs' own variables
    Bdd guard = bdd_translate_condition(translator, b.transition->guard);
    bdd_space_and_into(&guard, request.condition);
    add_part(&b, guard);
    add_updates(&b);
    bdd_translator_forget(translator);
    if (!stopped(&b)) assign_forgetting(&b);
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
                     relation->inputs, relation->written, relation->dying};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) bdd_space_drop(all[i]);
  *relation = (BddRelation){.built = true};
}
