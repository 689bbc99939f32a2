#include "reach/bdd_relation.h"

#include <stdlib.h>

// Nodes of 20 bytes; with the caches this is about half a gigabyte.
enum { FIRST_NODES = 200000, FIRST_CACHE = 20000, MOST_NODES = 16000000 };

static bool stopped(BddRelations *r) {
  if (!r->flaw && bdd_space_exhausted()) r->flaw = "the decision diagrams grew too large";
  if (!r->flaw && budget_exhausted(r->budget, "reach-bdd")) r->flaw = stop_reason_text(r->budget->reason);
  return r->flaw != NULL;
}

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

// --- from the graph to diagrams ---

// The diagram of an input or a constant, as a new reference.
static Bdd diagram_of_leaf(BddRelations *r, uint32_t node) {
  if (node == 0) return BDD_FALSE;
  uint32_t input = aig_input_index(&r->words.aig, node);
  uint64_t other;
  if (map_get(&r->input_variable, input, &other)) return bdd_space_variable((unsigned)other);
  assert(r->words.bit_of_input.data[input] != NO_ID);
  const BddBit *bit = &r->words.bits.data[r->words.bit_of_input.data[input]];
  if (bit->known != BIT_OPEN) return bit->known == BIT_ONE ? BDD_TRUE : BDD_FALSE;
  return bdd_space_variable(bit->variable);
}

static Bdd literal_diagram(const BddRelations *r, AigLiteral literal) {
  Bdd node = (Bdd)r->known.data[aig_node(literal)] - 1;
  return aig_is_inverted(literal) ? bdd_space_not(node) : bdd_space_share(node);
}

static void keep_diagram(BddRelations *r, uint32_t node, Bdd diagram) {
  r->known.data[node] = (uint32_t)diagram + 1;
  U32Vector_push(&r->touched, node);
}

static void build_node(BddRelations *r, uint32_t node) {
  const Aig *aig = &r->words.aig;
  if (!aig_is_gate(aig, node)) {
    keep_diagram(r, node, diagram_of_leaf(r, node));
    return;
  }
  Bdd left = literal_diagram(r, aig_left(aig, node)), right = literal_diagram(r, aig_right(aig, node));
  keep_diagram(r, node, bdd_space_and(left, right));
  bdd_space_drop(left);
  bdd_space_drop(right);
}

// A new reference. Everything on the way is kept until forget_diagrams.
static Bdd diagram_of(BddRelations *r, AigLiteral literal) {
  const Aig *aig = &r->words.aig;
  U32Vector stack;
  U32Vector_init(&stack, r->account);
  U32Vector_push(&stack, aig_node(literal));
  while (stack.count > 0 && !stopped(r)) {
    uint32_t node = *U32Vector_last(&stack);
    size_t before = stack.count;
    if (!r->known.data[node] && aig_is_gate(aig, node)) {
      uint32_t left = aig_node(aig_left(aig, node)), right = aig_node(aig_right(aig, node));
      if (!r->known.data[left]) U32Vector_push(&stack, left);
      if (!r->known.data[right]) U32Vector_push(&stack, right);
    }
    if (stack.count > before) continue;
    if (!r->known.data[node]) build_node(r, node);
    U32Vector_pop(&stack);
  }
  U32Vector_free(&stack);
  return r->flaw ? BDD_FALSE : literal_diagram(r, literal);
}

static void forget_diagrams(BddRelations *r) {
  for (size_t i = 0; i < r->touched.count; i++) {
    bdd_space_drop((Bdd)r->known.data[r->touched.data[i]] - 1);
    r->known.data[r->touched.data[i]] = 0;
  }
  U32Vector_clear(&r->touched);
  map_clear(&r->input_variable);
}

static Bdd condition(BddRelations *r, Term t) { return diagram_of(r, bitblast_bool(&r->words.blaster, t)); }

// --- the parts of a relation ---

static void add_part(BddRelations *r, BddRelation *relation, Bdd part) {
  enum { MOST_JOINED = 2000 }; // nodes of a part that others are joined to
  if (relation->part_count > 0) {
    BddPart *last = BddPartVector_last(&r->parts);
    if (bdd_space_size(last->relation) + bdd_space_size(part) < MOST_JOINED) {
      bdd_space_and_into(&last->relation, part);
      bdd_space_drop(part);
      return;
    }
  }
  BddPartVector_push(&r->parts, (BddPart){.relation = part, .forget = BDD_TRUE});
  relation->part_count++;
}

// Is the value, after the edge, one that somebody will look at?
static bool is_kept(const BddRelations *r, EdgeId e, uint32_t word) {
  return word != NO_ID && !bdd_live_is_dead_after(&r->live, e, word);
}

// Bits that are set to an input of the edge: the next variable is the input.
static void find_inputs(BddRelations *r, EdgeId e) {
  const BddWords *w = &r->words;
  const Transition *transition = &w->transitions->edges.data[e];
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = bdd_update(w, transition, i);
    uint32_t word = bdd_word_of(w, update->variable);
    if (!is_kept(r, e, word)) continue;
    const AigLiteral *literals = bitblast_term(&r->words.blaster, update->value);
    for (uint32_t k = 0; k < w->words.data[word].width; k++) {
      if (aig_is_inverted(literals[k]) || aig_node(literals[k]) == 0 || aig_is_gate(&w->aig, aig_node(literals[k])))
        continue;
      uint32_t input = aig_input_index(&w->aig, aig_node(literals[k])), bit = w->bit_of_input.data[input];
      bool fresh = w->words.data[w->bits.data[bit].word].fresh, open = bdd_word_bit(w, word, k)->known == BIT_OPEN;
      if (fresh && open && !map_contains(&r->input_variable, input))
        map_put(&r->input_variable, input, bdd_word_bit(w, word, k)->variable + 1);
    }
  }
}

// What the next bits of the word are.
static Bdd word_relation(BddRelations *r, uint32_t word, Term value) {
  uint32_t width = r->words.words.data[word].width;
  Bdd all = BDD_TRUE;
  for (uint32_t k = width; k-- > 0 && !r->flaw;) { // the lowest bit is at the bottom
    const BddBit *bit = bdd_word_bit(&r->words, word, k);
    if (bit->known != BIT_OPEN) continue;
    Bdd next = bdd_space_variable(bit->variable + 1), now = diagram_of(r, bitblast_term(&r->words.blaster, value)[k]);
    bdd_space_replace(&next, bdd_space_equal(next, now));
    bdd_space_and_into(&all, next);
    bdd_space_drop(next);
    bdd_space_drop(now);
    stopped(r);
  }
  return all;
}

static void add_updates(BddRelations *r, BddRelation *relation, EdgeId e) {
  const BddWords *w = &r->words;
  const Transition *transition = &w->transitions->edges.data[e];
  U32Vector forgotten, next;
  U32Vector_init(&forgotten, r->account);
  U32Vector_init(&next, r->account);
  Map changed;
  map_init(&changed, r->account);
  for (uint32_t i = 0; i < transition->update_count && !r->flaw; i++) {
    const Update *update = bdd_update(w, transition, i);
    uint32_t word = bdd_word_of(w, update->variable);
    if (word == NO_ID) continue;
    map_put(&changed, word, 1);
    add_open_bits(w, word, 0, &forgotten);
    if (!is_kept(r, e, word)) continue;
    add_open_bits(w, word, 1, &next);
    add_part(r, relation, word_relation(r, word, update->value));
  }
  U32Vector dead;
  U32Vector_init(&dead, r->account);
  bdd_live_forgotten(&r->live, e, &dead);
  for (size_t i = 0; i < dead.count; i++)
    if (!map_contains(&changed, dead.data[i])) add_open_bits(w, dead.data[i], 0, &forgotten);
  relation->forgotten = cube_of(&forgotten);
  relation->next = cube_of(&next);
  U32Vector_free(&dead);
  map_free(&changed);
  U32Vector_free(&next);
  U32Vector_free(&forgotten);
}

// Each variable that is to be forgotten goes with the last part that mentions it.
static void schedule(BddRelations *r, BddRelation *relation) {
  Map last; // variable -> part plus one
  map_init(&last, r->account);
  for (uint32_t i = 0; i < relation->part_count; i++) {
    Bdd support = bdd_space_support(r->parts.data[relation->first_part + i].relation);
    for (Bdd at = support; at != BDD_TRUE && at != BDD_FALSE; at = bdd_space_high(at))
      map_put(&last, bdd_space_top(at), i + 1);
    bdd_space_drop(support);
  }
  for (uint32_t i = 0; i <= relation->part_count; i++) {
    U32Vector mine;
    U32Vector_init(&mine, r->account);
    const Bdd cubes[] = {relation->forgotten, relation->inputs};
    for (size_t k = 0; k < 2; k++)
      for (Bdd at = cubes[k]; at != BDD_TRUE && at != BDD_FALSE; at = bdd_space_high(at))
        if (map_get_or(&last, bdd_space_top(at), 0) == i) U32Vector_push(&mine, bdd_space_top(at));
    *(i == 0 ? &relation->forget : &r->parts.data[relation->first_part + i - 1].forget) = cube_of(&mine);
    U32Vector_free(&mine);
  }
  map_free(&last);
}

static Bdd input_cube(BddRelations *r, EdgeId e) {
  const BddWords *w = &r->words;
  const Transition *transition = &w->transitions->edges.data[e];
  U32Vector variables;
  U32Vector_init(&variables, r->account);
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    uint32_t word = bdd_word_of(w, w->transitions->fresh.data[transition->first_fresh + i]);
    if (word != NO_ID) add_open_bits(w, word, 0, &variables);
  }
  Bdd cube = cube_of(&variables);
  U32Vector_free(&variables);
  return cube;
}

// The states in which a condition of the edge holds for some inputs.
static Bdd states_where(BddRelations *r, Bdd inputs, Term t) {
  Bdd states = condition(r, t);
  if (!r->flaw) bdd_space_replace(&states, bdd_space_exists(states, inputs));
  forget_diagrams(r);
  return states;
}

static void build_parts(BddRelations *r, BddRelation *relation, EdgeId e) {
  const Transition *transition = &r->words.transitions->edges.data[e];
  relation->first_part = (uint32_t)r->parts.count;
  find_inputs(r, e);
  add_part(r, relation, condition(r, transition->guard));
  add_updates(r, relation, e);
  forget_diagrams(r);
  if (!stopped(r)) schedule(r, relation);
}

static BddRelation *relation_of(BddRelations *r, EdgeId e) {
  BddRelation *relation = &r->edges.data[e];
  if (relation->built || r->flaw) return relation;
  relation->built = true;
  const Transition *transition = &r->words.transitions->edges.data[e];
  uint8_t flags = r->words.edges.data[e];
  if (flags & EDGE_UNSUPPORTED) {
    r->flaw = "decision diagrams do not know floating-point numbers and arrays";
    return relation;
  }
  relation->inputs = input_cube(r, e);
  if (transition->missed != TERM_NONE) relation->missed = states_where(r, relation->inputs, transition->missed);
  if (flags & EDGE_CHANGES)
    build_parts(r, relation, e);
  else if (flags & EDGE_TAKEN)
    relation->enabled = states_where(r, relation->inputs, transition->guard);
  stopped(r);
  return relation;
}

// --- sets of states ---

Bdd bdd_initial_states(BddRelations *r) {
  const BddWords *w = &r->words;
  Bdd states = BDD_TRUE;
  for (uint32_t v = w->variable_count; v-- > 0 && !r->flaw;) {
    if (w->bit_of_variable.data[v] == NO_ID) continue;
    const BddBit *bit = &w->bits.data[w->bit_of_variable.data[v]];
    const BddWord *word = &w->words.data[bit->word];
    Term initial = transitions_initial(w->transitions, word->variable);
    if (bit->variable != v || initial == TERM_NONE || !term_is_constant(w->terms, initial)) continue;
    uint32_t place = w->bit_of_variable.data[v] - word->first_bit;
    Bdd literal = bdd_space_literal(v, term_constant_value(w->terms, initial) >> place & 1);
    bdd_space_and_into(&states, literal);
    bdd_space_drop(literal);
    stopped(r);
  }
  return states;
}

Bdd bdd_states_after(BddRelations *r, Bdd states, EdgeId edge) {
  const BddRelation *relation = relation_of(r, edge);
  if (r->flaw) return BDD_FALSE;
  Bdd after = bdd_space_exists(states, relation->forget);
  for (uint32_t i = 0; i < relation->part_count && after != BDD_FALSE && !stopped(r); i++) {
    const BddPart *part = &r->parts.data[relation->first_part + i];
    bdd_space_replace(&after, bdd_space_and_exists(after, part->relation, part->forget));
  }
  if (!stopped(r) && relation->next != BDD_TRUE) bdd_space_replace(&after, bdd_space_rename(after, r->to_current));
  if (stopped(r)) bdd_space_replace(&after, BDD_FALSE);
  return after;
}

Bdd bdd_states_enabled(BddRelations *r, Bdd states, EdgeId edge, bool missed) {
  const BddRelation *relation = relation_of(r, edge);
  assert(missed || r->flaw || !(r->words.edges.data[edge] & EDGE_CHANGES));
  if (r->flaw) return BDD_FALSE;
  Bdd enabled = bdd_space_and(states, missed ? relation->missed : relation->enabled);
  if (stopped(r)) bdd_space_replace(&enabled, BDD_FALSE);
  return enabled;
}

// The states after the edge, with next variables for the words that it changes and without those that die.
static Bdd as_next(const BddRelation *relation, Bdd after) {
  U32Vector from, to;
  U32Vector_init(&from, NULL);
  U32Vector_init(&to, NULL);
  for (Bdd at = relation->next; at != BDD_TRUE; at = bdd_space_high(at)) {
    U32Vector_push(&to, bdd_space_top(at));
    U32Vector_push(&from, bdd_space_top(at) - 1);
  }
  BddRenaming *renaming = bdd_space_renaming(from.data, to.data, from.count);
  Bdd next = bdd_space_rename(after, renaming);
  bdd_space_replace(&next, bdd_space_exists(next, relation->forgotten));
  bdd_space_renaming_free(renaming);
  U32Vector_free(&to);
  U32Vector_free(&from);
  return next;
}

Bdd bdd_states_before(BddRelations *r, Bdd before, EdgeId edge, Bdd after) {
  const BddRelation *relation = relation_of(r, edge);
  if (r->flaw) return BDD_FALSE;
  Bdd states = as_next(relation, after);
  bdd_space_and_into(&states, before);
  for (uint32_t i = 0; i < relation->part_count && !stopped(r); i++)
    bdd_space_and_into(&states, r->parts.data[relation->first_part + i].relation);
  if (!stopped(r)) bdd_space_replace(&states, bdd_space_exists(states, relation->next));
  if (!stopped(r)) bdd_space_replace(&states, bdd_space_exists(states, relation->inputs));
  if (stopped(r)) bdd_space_replace(&states, BDD_FALSE);
  return states;
}

Bdd bdd_states_pick(Bdd states) {
  Bdd support = bdd_space_support(states), state = bdd_space_pick_cube(states, support);
  bdd_space_drop(support);
  return state;
}

// --- all ---

static BddRenaming *rename_all(const BddWords *w) {
  U32Vector from, to;
  U32Vector_init(&from, w->account);
  U32Vector_init(&to, w->account);
  for (size_t i = 0; i < w->bits.count; i++) {
    const BddBit *bit = &w->bits.data[i];
    if (bit->known != BIT_OPEN || w->words.data[bit->word].fresh) continue;
    U32Vector_push(&from, bit->variable + 1);
    U32Vector_push(&to, bit->variable);
  }
  BddRenaming *renaming = bdd_space_renaming(from.data, to.data, from.count);
  U32Vector_free(&to);
  U32Vector_free(&from);
  return renaming;
}

void bdd_relations_init(BddRelations *r, const Transitions *transitions, Budget *budget, Account *account) {
  *r = (BddRelations){.budget = budget, .account = account};
  BddRelationVector_init(&r->edges, account);
  BddPartVector_init(&r->parts, account);
  U32Vector_init(&r->known, account);
  U32Vector_init(&r->touched, account);
  map_init(&r->input_variable, account);
  r->flaw = bdd_words_init(&r->words, transitions, budget, account);
  if (r->flaw) return;
  bdd_live_init(&r->live, &r->words, account);
  if (!bdd_space_init(r->words.variable_count + 1, FIRST_NODES, FIRST_CACHE, MOST_NODES)) {
    r->flaw = "decision diagrams are in use already, and a process has them only once";
    return;
  }
  r->to_current = rename_all(&r->words);
  U32Vector_resize(&r->known, aig_node_count(&r->words.aig));
  for (EdgeId e = 0; e < transitions->edges.count; e++)
    BddRelationVector_push(
        &r->edges, (BddRelation){.forget = BDD_TRUE, .inputs = BDD_TRUE, .next = BDD_TRUE, .forgotten = BDD_TRUE});
}

// Closing the instance frees all diagrams.
void bdd_relations_free(BddRelations *r) {
  if (r->to_current) {
    bdd_space_renaming_free(r->to_current);
    bdd_space_done();
  }
  bdd_live_free(&r->live);
  bdd_words_free(&r->words);
  map_free(&r->input_variable);
  U32Vector_free(&r->touched);
  U32Vector_free(&r->known);
  BddPartVector_free(&r->parts);
  BddRelationVector_free(&r->edges);
}
