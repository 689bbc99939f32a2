#include "circuit/methods/bdd_system.h"

// What an input of the graph may be, other than a variable.
enum BddLeaf { LEAF_TRUE = UINT32_MAX - 1, LEAF_NONE = UINT32_MAX };

const char *bdd_system_flaw(BddSystem *y) {
  BddTranslator *words = &y->states.translator;
  if (!words->flaw) words->flaw = y->translator.flaw;
  bdd_translator_stopped(words);
  return words->flaw;
}

static const Program *program_of(const BddSystem *y) { return y->c->transitions->program; }

// --- variables ---

static uint32_t graph_input(const BddSystem *y, AigLiteral literal) {
  return aig_input_index(&y->c->aig, aig_node(literal));
}

// The number of variables before those of words.
static uint32_t count_reserved(const Circuit *c) {
  uint32_t count = (uint32_t)c->inputs.count;
  for (size_t t = 0; t < c->threads.count; t++) count += c->threads.data[t].latch_count;
  return count;
}

static void name_counters(BddSystem *y, uint32_t *next) {
  for (ThreadId t = 0; t < y->c->threads.count; t++) {
    const CircuitThread *thread = &y->c->threads.data[t];
    U32Vector_push(&y->first_variable, *next);
    for (uint32_t k = thread->latch_count; k-- > 0;) {
      uint32_t input = graph_input(y, y->c->latches.data[thread->first_latch + k].now);
      y->leaf.data[input] = (*next)++ * 2;
      y->thread_of.data[input] = t;
    }
  }
}

static void name_inputs(BddSystem *y, uint32_t *next) {
  for (size_t i = 0; i < y->c->inputs.count; i++) {
    const CircuitInput *input = &y->c->inputs.data[i];
    uint32_t variable = input->kind == INPUT_INITIAL ? y->c->words->bits.data[input->of].variable : (*next)++;
    y->leaf.data[graph_input(y, input->literal)] = variable * 2;
  }
}

static void name_words(BddSystem *y) {
  for (size_t i = 0; i < y->c->latches.count; i++) {
    const CircuitLatch *latch = &y->c->latches.data[i];
    uint32_t *leaf = &y->leaf.data[graph_input(y, latch->now)];
    if (latch->kind == LATCH_STARTED) *leaf = LEAF_TRUE;
    if (latch->kind != LATCH_BIT) continue;
    bool inverted = y->c->value_of_bit.data[latch->of] == aig_not(latch->now);
    *leaf = y->c->words->bits.data[latch->of].variable * 2 + inverted;
  }
}

static void name_all(BddSystem *y) {
  U32Vector_resize(&y->leaf, y->c->aig.inputs.count);
  for (size_t i = 0; i < y->leaf.count; i++) {
    y->leaf.data[i] = LEAF_NONE;
    U32Vector_push(&y->thread_of, NO_ID);
  }
  uint32_t next = 0;
  name_counters(y, &next);
  name_inputs(y, &next);
  name_words(y);
}

static Bdd leaf_diagram(const BddTranslator *t, uint32_t input) {
  const BddSystem *y = t->context;
  uint32_t leaf = y->leaf.data[input];
  assert(leaf != LEAF_NONE);
  if (leaf == LEAF_TRUE) return BDD_TRUE;
  ThreadId thread = y->thread_of.data[input];
  uint32_t bit_of_word = y->c->words->bit_of_variable.data[leaf / 2];
  uint8_t known = bit_of_word == NO_ID ? BIT_OPEN : y->c->words->bits.data[bit_of_word].known;
  if (known != BIT_OPEN && y->depends_on) map_put(y->depends_on, bit_of_word, 1); // frozen
  if (known == BIT_OPEN) known = y->agreed.data[leaf / 2];
  if (known != BIT_OPEN) return (known == BIT_ONE) != (leaf & 1) ? BDD_TRUE : BDD_FALSE;
  if (thread == NO_ID || thread != y->placed) return bdd_space_literal(leaf / 2, !(leaf & 1));
  assert(leaf / 2 >= y->first_variable.data[thread]);
  uint32_t latch_count = y->c->threads.data[thread].latch_count;
  uint32_t bit = latch_count - 1 - (leaf / 2 - y->first_variable.data[thread]); // the highest comes first
  return y->placed_at >> bit & 1 ? BDD_TRUE : BDD_FALSE;
}

Bdd bdd_system_translate(BddSystem *y, AigLiteral literal) {
  if (bdd_system_flaw(y)) return BDD_FALSE;
  Bdd diagram = bdd_translate(&y->translator, literal);
  return bdd_system_flaw(y) ? BDD_FALSE : diagram;
}

// --- counters ---

Bdd bdd_system_at_place(const BddSystem *y, ThreadId thread, uint32_t place) {
  assert(thread < y->c->threads.count && place < y->c->threads.data[thread].locations.count);
  uint32_t count = y->c->threads.data[thread].latch_count;
  Bdd at = BDD_TRUE;
  for (uint32_t k = 0; k < count; k++) { // from the last variable up
    Bdd bit = bdd_space_literal(y->first_variable.data[thread] + count - 1 - k, place >> k & 1);
    bdd_space_and_into(&at, bit);
    bdd_space_drop(bit);
  }
  return at;
}

// The places of the threads that an edge moves or starts, after the edge; and the cube of their counters.
typedef struct Arrival {
  Bdd there, counters;
} Arrival;

static Arrival arrival_of(const BddSystem *y, const CircuitEdge *edge) {
  const Program *p = program_of(y);
  Arrival a = {.counters = bdd_space_share((Bdd)y->counters.data[edge->thread])};
  a.there = bdd_system_at_place(y, edge->thread, y->c->place_of.data[p->edges.data[edge->edge].to]);
  for (ThreadMask births = transitions_births(y->c->transitions, edge->edge); births != 0; births &= births - 1) {
    ThreadId created = first_thread(births);
    EdgeId start;
    Bdd begins = bdd_system_at_place(y, created, y->c->place_of.data[thread_beginning(p, created, &start)]);
    bdd_space_and_into(&a.there, begins);
    bdd_space_and_into(&a.counters, (Bdd)y->counters.data[created]);
    bdd_space_drop(begins);
  }
  return a;
}

static void arrival_drop(Arrival a) {
  bdd_space_drop(a.there);
  bdd_space_drop(a.counters);
}

// --- which threads may run ---

// Does the diagram depend on a variable of the cube?
static bool depends_on(Bdd diagram, Bdd cube) {
  Bdd support = bdd_space_support(diagram), rest = bdd_space_exists(support, cube);
  bool has = rest != support;
  bdd_space_drop(rest);
  bdd_space_drop(support);
  return has;
}

// Replaces the circuit's inputs for fresh values in a condition by the variables of the edge's own fresh values. Inputs
// that the edge does not use are existentially quantified.
static Bdd with_own_inputs(BddSystem *y, EdgeId e, Bdd condition) {
  const Words *w = y->c->words;
  const Transition *transition = &y->c->transitions->edges.data[e];
  U32Vector from, to;
  U32Vector_init(&from, y->account);
  U32Vector_init(&to, y->account);
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    uint32_t word = words_find(w, y->c->transitions->fresh.data[transition->first_fresh + i]);
    for (uint32_t k = 0; word != NO_ID && k < w->words.data[word].width; k++) {
      U32Vector_push(&from, y->leaf.data[graph_input(y, y->c->fresh.data[from.count])] / 2);
      U32Vector_push(&to, words_bit(w, word, k)->variable);
    }
  }
  BddRenaming *renaming = bdd_space_renaming(from.data, to.data, from.count);
  Bdd own = bdd_space_rename(condition, renaming);
  bdd_space_replace(&own, bdd_space_exists(own, y->inputs));
  bdd_space_renaming_free(renaming);
  U32Vector_free(&to);
  U32Vector_free(&from);
  return own;
}

// Whether the thread may run depends on inputs. Splits this into a condition on the edge's relation, which shares the
// inputs for fresh values with it, and a condition on the states before it (`edge_may`).
static void restrict_edge(BddSystem *y, uint32_t index, Bdd may) {
  assert(index < y->c->edges.count);
  const CircuitEdge *edge = &y->c->edges.data[index];
  Bdd chosen = bdd_system_translate(y, edge->chosen);
  Bdd own = bdd_space_and_exists(may, chosen, y->choices);
  bool has_inputs = depends_on(own, y->inputs);
  if (has_inputs) bdd_space_replace(&own, with_own_inputs(y, edge->edge, own));
  bdd_states_require(&y->states, edge->edge, has_inputs ? own : BDD_TRUE);
  if (has_inputs) bdd_space_replace(&own, BDD_TRUE);
  bdd_space_drop(chosen);
  bdd_space_replace((Bdd *)&y->edge_may.data[index], own);
}

// Derives `may` and the conditions of the edges from `may_with`.
static void finish_place(BddSystem *y, BddPlace *place) {
  bool has_inputs = !bdd_system_flaw(y) && depends_on(place->may_with, y->inputs);
  for (uint32_t i = 0; i < place->edge_count; i++) {
    uint32_t index = place->first_edge + i;
    EdgeId edge = y->c->edges.data[index].edge;
    bool restricted = y->edge_may.data[index] != BDD_TRUE || y->states.conditions.data[edge] != BDD_TRUE;
    if (has_inputs || restricted) restrict_edge(y, index, has_inputs ? place->may_with : BDD_TRUE);
  }
  Bdd may = has_inputs ? bdd_space_exists(place->may_with, y->inputs) : bdd_space_share(place->may_with);
  bdd_space_replace(&place->may, may);
  bdd_translator_forget(&y->translator);
}

// When the thread is at the place, may it run? A new reference. It means nothing if the translator found it too large.
static Bdd may_run(BddSystem *y, const BddPlace *place) {
  const CircuitThread *thread = circuit_thread(y->c, place->thread);
  y->placed = place->thread;
  y->placed_at = y->c->place_of.data[place->location];
  Bdd may = bdd_system_translate(y, thread->allowed);
  if (may != BDD_FALSE) {
    Bdd stubborn = bdd_system_translate(y, thread->stubborn);
    bdd_space_and_into(&may, stubborn);
    bdd_space_drop(stubborn);
  }
  bdd_translator_forget(&y->translator);
  y->placed = NO_ID;
  return may;
}

static void build_whole(BddSystem *y, BddPlace *place) {
  enum { LARGE_CONDITION = 20000 };
  y->depends_on = &place->depends_on;
  bdd_translator_limit(&y->translator, LARGE_CONDITION);
  Bdd may = may_run(y, place);
  place->built = y->translator.too_large ? PLACE_BY_CASES : PLACE_WHOLE;
  bdd_translator_limit(&y->translator, 0);
  y->depends_on = NULL;
  bdd_space_replace(&place->may_with, place->built == PLACE_WHOLE ? may : BDD_FALSE);
  if (place->built == PLACE_WHOLE) finish_place(y, place);
}

// Adds the states that no query had before. Variables that have the same value in all of them are constants meanwhile.
static void extend_place(BddSystem *y, BddPlace *place, Bdd here) {
  Bdd new = bdd_space_minus(here, place->care);
  if (new != BDD_FALSE && !bdd_system_flaw(y)) {
    bdd_space_agreement(new, y->agreed.data);
    y->translator.care = new;
    Bdd may = may_run(y, place);
    y->translator.care = BDD_FALSE;
    memset(y->agreed.data, BIT_OPEN, y->agreed.count);
    bdd_space_and_into(&may, new);
    bdd_space_or_into(&place->may_with, may);
    bdd_space_or_into(&place->care, new);
    bdd_space_drop(may);
    finish_place(y, place);
  }
  bdd_space_drop(new);
}

// The states in which the thread is at the place and may run, without its counter.
static Bdd restrict_to_place(BddSystem *y, BddPlace *place, Bdd states) {
  Bdd here = bdd_space_restrict(states, place->at);
  if (here == BDD_FALSE) return here;
  if (place->built == PLACE_NEW) build_whole(y, place);
  if (place->built == PLACE_BY_CASES) extend_place(y, place, here);
  if (!bdd_system_flaw(y)) bdd_space_and_into(&here, place->may);
  return here;
}

// The states before the edge, among those at its place, in which the thread may take it.
static Bdd before_edge(const BddSystem *y, uint32_t index, Bdd here) {
  Bdd may = (Bdd)y->edge_may.data[index];
  return may == BDD_TRUE ? bdd_space_share(here) : bdd_space_and(here, may);
}

// --- steps ---

static Bdd after_edge(BddSystem *y, uint32_t index, Bdd here) {
  const CircuitEdge *edge = &y->c->edges.data[index];
  Bdd before = before_edge(y, index, here), after = bdd_states_after(&y->states, before, edge->edge);
  bdd_space_drop(before);
  if (after == BDD_FALSE || bdd_system_flaw(y)) return after;
  Arrival a = arrival_of(y, edge);
  bdd_space_replace(&after, bdd_space_exists(after, a.counters)); // also of a thread that the edge creates
  bdd_space_and_into(&after, a.there);
  arrival_drop(a);
  return after;
}

Bdd bdd_system_after(BddSystem *y, Bdd states) {
  Bdd all = BDD_FALSE;
  for (size_t i = 0; i < y->places.count && !bdd_system_flaw(y); i++) {
    BddPlace *place = &y->places.data[i];
    Bdd here = restrict_to_place(y, place, states);
    for (uint32_t k = 0; k < place->edge_count && here != BDD_FALSE && !bdd_system_flaw(y); k++) {
      Bdd after = after_edge(y, place->first_edge + k, here);
      bdd_space_or_into(&all, after);
      bdd_space_drop(after);
    }
    bdd_space_drop(here);
  }
  return all;
}

static Bdd before_by_edge(BddSystem *y, uint32_t index, Bdd here, Bdd after) {
  const CircuitEdge *edge = &y->c->edges.data[index];
  Arrival a = arrival_of(y, edge);
  Bdd rest = bdd_space_restrict(after, a.there), before = BDD_FALSE;
  arrival_drop(a);
  if (rest != BDD_FALSE) {
    Bdd may = before_edge(y, index, here);
    before = bdd_states_before(&y->states, may, edge->edge, rest);
    bdd_space_drop(may);
  }
  bdd_space_drop(rest);
  return before;
}

Bdd bdd_system_before(BddSystem *y, Bdd before, Bdd after, const CircuitEdge **edge) {
  Bdd found = BDD_FALSE;
  for (size_t i = 0; i < y->places.count && found == BDD_FALSE && !bdd_system_flaw(y); i++) {
    BddPlace *place = &y->places.data[i];
    Bdd here = restrict_to_place(y, place, before);
    for (uint32_t k = 0; k < place->edge_count && here != BDD_FALSE && found == BDD_FALSE; k++) {
      *edge = &y->c->edges.data[place->first_edge + k];
      found = before_by_edge(y, place->first_edge + k, here, after);
      if (bdd_system_flaw(y)) break;
    }
    bdd_space_and_into(&found, place->at);
    bdd_space_drop(here);
  }
  return found;
}

Bdd bdd_system_initial(BddSystem *y) {
  if (bdd_system_flaw(y)) return BDD_FALSE;
  Bdd states = bdd_states_initial(&y->states);
  for (ThreadId t = (ThreadId)y->c->threads.count; t-- > 0;) {
    Bdd at = bdd_system_at_place(y, t, 0);
    bdd_space_and_into(&states, at);
    bdd_space_drop(at);
  }
  return states;
}

// --- thawing ---

// The bit has its initial value, or its word is dead.
static Bdd find_fill(BddSystem *y, uint32_t thawed) {
  const WordBit *bit = &y->c->words->bits.data[thawed / 2];
  const LiveWords *live = &y->states.live;
  Bdd fill = bdd_space_literal(bit->variable, thawed & 1);
  ThreadId reader = live->reader.data[bit->word];
  const CircuitThread *thread = reader == NO_ID ? NULL : circuit_thread(y->c, reader);
  for (uint32_t i = 0; thread && i < thread->locations.count; i++) {
    if (thread->locations.data[i] == NO_ID || bitset_get(&live->at[thread->locations.data[i]], bit->word)) continue;
    Bdd at = bdd_system_at_place(y, reader, i);
    bdd_space_or_into(&fill, at);
    bdd_space_drop(at);
  }
  return fill;
}

Bdd bdd_system_fill(BddSystem *y, Bdd states, size_t first) {
  const U32Vector *thawed = &y->states.thawed;
  assert(first <= thawed->count);
  while (y->fills.count < thawed->count)
    U32Vector_push(&y->fills, (uint32_t)find_fill(y, thawed->data[y->fills.count]));
  Bdd filled = bdd_space_share(states);
  for (size_t i = first; i < thawed->count; i++) bdd_space_and_into(&filled, (Bdd)y->fills.data[i]);
  return filled;
}

// As bdd_system_fill, for a set of states with the thread at the place, without its counter.
static Bdd fill_at(BddSystem *y, const BddPlace *place, Bdd states, size_t first) {
  Bdd whole = bdd_space_and(states, place->at), filled = bdd_system_fill(y, whole, first);
  bdd_space_replace(&filled, bdd_space_restrict(filled, place->at));
  bdd_space_drop(whole);
  return filled;
}

// Was the condition of the place built with a bit that thawed since?
static bool is_outdated(const BddSystem *y, const BddPlace *place, size_t first) {
  for (size_t i = first; i < y->states.thawed.count; i++)
    if (map_contains(&place->depends_on, y->states.thawed.data[i] / 2)) return true;
  return false;
}

// Conditions that were built for all states are built again. Those for the states of `care` are filled.
static void thaw_conditions(BddSystem *y, size_t first) {
  for (size_t i = 0; i < y->places.count; i++) {
    BddPlace *place = &y->places.data[i];
    if (place->built == PLACE_WHOLE && is_outdated(y, place, first)) {
      map_clear(&place->depends_on);
      place->built = PLACE_NEW;
    } else if (place->built == PLACE_BY_CASES) {
      bdd_space_replace(&place->care, fill_at(y, place, place->care, first));
      bdd_space_replace(&place->may_with, fill_at(y, place, place->may_with, first));
      finish_place(y, place);
    }
  }
  for (size_t i = 0; i < y->goals.count; i++) y->goals.data[i].built = false;
}

// May an edge of the place change a frozen bit?
static bool may_escape(const BddSystem *y, const BddPlace *place) {
  bool may = false;
  for (uint32_t k = 0; k < place->edge_count && !may; k++) {
    const BddEscape *escape = &y->states.escapes.data[y->c->edges.data[place->first_edge + k].edge];
    may = !escape->built || escape->large || escape->any != BDD_FALSE;
  }
  return may;
}

bool bdd_system_thaw(BddSystem *y, Bdd states) {
  bool thawed = false;
  size_t before = y->states.thawed.count;
  for (size_t i = 0; i < y->places.count && !bdd_system_flaw(y); i++) {
    const BddPlace *place = &y->places.data[i];
    Bdd here = may_escape(y, place) ? bdd_space_restrict(states, place->at) : BDD_FALSE;
    for (uint32_t k = 0; k < place->edge_count && here != BDD_FALSE && !bdd_system_flaw(y); k++)
      thawed |= bdd_thaw(&y->states, here, y->c->edges.data[place->first_edge + k].edge);
    bdd_space_drop(here);
  }
  if (thawed) thaw_conditions(y, before);
  return thawed;
}

// --- all ---

// The current and the next variable of a bit stay together when variables are sifted.
static void keep_neighbours(const BddSystem *y) {
  const Words *w = y->c->words;
  for (uint32_t v = 0; v < w->variable_count; v++) {
    uint32_t bit = w->bit_of_variable.data[v];
    bool paired = bit != NO_ID && v + 1 < w->variable_count && w->bit_of_variable.data[v + 1] == bit;
    bdd_space_keep_together(v, paired ? v + 1 : v);
    if (paired) v++;
  }
}

static void find_places(BddSystem *y) {
  const Program *p = program_of(y);
  for (uint32_t i = 0; i < y->c->edges.count; i++) {
    const CircuitEdge *edge = &y->c->edges.data[i];
    LocationId from = p->edges.data[edge->edge].from;
    U32Vector_push(&y->edge_may, BDD_TRUE);
    if (y->places.count == 0 || BddPlaceVector_last(&y->places)->location != from)
      BddPlaceVector_push(&y->places, (BddPlace){.location = from,
                                                 .thread = edge->thread,
                                                 .first_edge = i,
                                                 .at = bdd_system_at_place(y, edge->thread, y->c->place_of.data[from]),
                                                 .care = BDD_FALSE});
    BddPlace *place = BddPlaceVector_last(&y->places);
    if (place->edge_count++ == 0) map_init(&place->depends_on, y->account);
  }
}

static void find_cubes(BddSystem *y) {
  for (ThreadId t = 0; t < y->c->threads.count; t++) {
    U32Vector variables;
    U32Vector_init(&variables, y->account);
    for (uint32_t k = 0; k < y->c->threads.data[t].latch_count; k++)
      U32Vector_push(&variables, y->first_variable.data[t] + k);
    U32Vector_push(&y->counters, (uint32_t)bdd_space_cube(variables.data, variables.count));
    U32Vector_free(&variables);
  }
  y->inputs = y->choices = BDD_TRUE;
  for (size_t i = 0; i < y->c->inputs.count; i++) {
    const CircuitInput *input = &y->c->inputs.data[i];
    if (input->kind == INPUT_INITIAL) continue;
    Bdd variable = bdd_space_variable(y->leaf.data[graph_input(y, input->literal)] / 2);
    bdd_space_and_into(&y->inputs, variable);
    if (input->kind == INPUT_CHOICE) bdd_space_and_into(&y->choices, variable);
    bdd_space_drop(variable);
  }
}

void bdd_system_init(BddSystem *y, const Circuit *c, size_t most_nodes, Budget *budget, Account *account) {
  *y = (BddSystem){.c = c, .placed = NO_ID, .account = account};
  U32Vector *const vectors[] = {&y->leaf,    &y->thread_of, &y->first_variable, &y->counters,
                                &y->allowed, &y->edge_may,  &y->fills};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  ByteVector_init(&y->agreed, account);
  BddPlaceVector_init(&y->places, account);
  BddGoalVector_init(&y->goals, account);
  BddFrame frame = {
      .reserved = count_reserved(c), .touches = true, .most_nodes = most_nodes, .stop_point = "circuit-bdd"};
  bdd_states_init(&y->states, c->words, frame, budget, account);
  bdd_translator_init_graph(&y->translator, &c->aig, budget, account);
  y->translator.stop_point = frame.stop_point;
  y->translator.leaf = leaf_diagram;
  y->translator.context = y;
  if (bdd_system_flaw(y)) return;
  bdd_freeze(&y->states);
  ByteVector_resize(&y->agreed, bdd_space_variables());
  memset(y->agreed.data, BIT_OPEN, y->agreed.count);
  name_all(y);
  find_cubes(y);
  find_places(y);
  assert(y->edge_may.count == c->edges.count);
  keep_neighbours(y);
  for (ThreadId t = 0; t < c->threads.count; t++)
    U32Vector_push(&y->allowed, (uint32_t)bdd_system_translate(y, c->threads.data[t].allowed));
  bdd_translator_forget(&y->translator);
}

// bdd_states_free closes the space, which frees all diagrams.
void bdd_system_free(BddSystem *y) {
  bdd_unfreeze(&y->states);
  bdd_translator_free(&y->translator);
  bdd_states_free(&y->states);
  BddGoalVector_free(&y->goals);
  for (size_t i = 0; i < y->places.count; i++) map_free(&y->places.data[i].depends_on);
  BddPlaceVector_free(&y->places);
  ByteVector_free(&y->agreed);
  U32Vector *const vectors[] = {&y->leaf,    &y->thread_of, &y->first_variable, &y->counters,
                                &y->allowed, &y->edge_may,  &y->fills};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
}
