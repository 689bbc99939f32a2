#include "circuit/bdd_system.h"

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
  if (thread == NO_ID || thread != y->standing) return bdd_space_literal(leaf / 2, !(leaf & 1));
  uint32_t latch_count = y->c->threads.data[thread].latch_count;
  uint32_t bit = latch_count - 1 - (leaf / 2 - y->first_variable.data[thread]); // the highest comes first
  return y->standing_at >> bit & 1 ? BDD_TRUE : BDD_FALSE;
}

// The diagram of a literal of the circuit, with what counters are taken to be.
static Bdd translate(BddSystem *y, AigLiteral literal) {
  if (bdd_system_flaw(y)) return BDD_FALSE;
  Bdd diagram = bdd_translate(&y->translator, literal);
  return bdd_system_flaw(y) ? BDD_FALSE : diagram;
}

// --- counters ---

static Bdd stands_at(const BddSystem *y, ThreadId thread, uint32_t place) {
  uint32_t count = y->c->threads.data[thread].latch_count;
  Bdd at = BDD_TRUE;
  for (uint32_t k = 0; k < count; k++) { // from the last variable up
    Bdd bit = bdd_space_literal(y->first_variable.data[thread] + count - 1 - k, place >> k & 1);
    bdd_space_and_into(&at, bit);
    bdd_space_drop(bit);
  }
  return at;
}

// Where threads stand after an edge, as far as it says so; and the cube of their counters.
typedef struct Arrival {
  Bdd there, counters;
} Arrival;

static Arrival arrival_of(const BddSystem *y, const CircuitEdge *edge) {
  const Program *p = program_of(y);
  Arrival a = {.counters = bdd_space_share((Bdd)y->counters.data[edge->thread])};
  a.there = stands_at(y, edge->thread, y->c->place_of.data[p->edges.data[edge->edge].to]);
  ThreadId created = y->c->transitions->edges.data[edge->edge].creates;
  if (created == NO_ID) return a;
  EdgeId start;
  Bdd born = stands_at(y, created, y->c->place_of.data[thread_beginning(p, created, &start)]);
  bdd_space_and_into(&a.there, born);
  bdd_space_and_into(&a.counters, (Bdd)y->counters.data[created]);
  bdd_space_drop(born);
  return a;
}

static void arrival_drop(Arrival a) {
  bdd_space_drop(a.there);
  bdd_space_drop(a.counters);
}

// --- who may run ---

static bool has_some(Bdd diagram, Bdd cube) {
  Bdd support = bdd_space_support(diagram), rest = bdd_space_exists(support, cube);
  bool has = rest != support;
  bdd_space_drop(rest);
  bdd_space_drop(support);
  return has;
}

// The condition over the circuit's inputs for fresh values, over the variables of the edge's own instead. Those that it has
// no use for may be anything.
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

// Whether its thread may run depends on inputs: what the edge itself says of them is put in place.
static void restrict_edge(BddSystem *y, uint32_t index, Bdd may) {
  const CircuitEdge *edge = &y->c->edges.data[index];
  Bdd chosen = translate(y, edge->chosen);
  Bdd mine = bdd_space_and_exists(may, chosen, y->choices);
  if (has_some(mine, y->inputs)) {
    bdd_space_replace(&mine, with_own_inputs(y, edge->edge, mine));
    bdd_states_require(&y->states, edge->edge, mine);
    bdd_space_replace(&mine, BDD_TRUE);
  }
  bdd_space_drop(chosen);
  bdd_space_replace((Bdd *)&y->edge_may.data[index], mine);
}

static void build_place(BddSystem *y, BddPlace *place) {
  if (place->built) return;
  place->built = true;
  const CircuitThread *thread = circuit_thread(y->c, place->thread);
  y->standing = place->thread;
  y->standing_at = y->c->place_of.data[place->location];
  place->may = translate(y, thread->allowed);
  if (place->may != BDD_FALSE) {
    Bdd stubborn = translate(y, thread->stubborn);
    bdd_space_and_into(&place->may, stubborn);
    bdd_space_drop(stubborn);
  }
  if (!bdd_system_flaw(y) && has_some(place->may, y->inputs)) {
    for (uint32_t i = 0; i < place->edge_count; i++) restrict_edge(y, place->first_edge + i, place->may);
    bdd_space_replace(&place->may, bdd_space_exists(place->may, y->inputs));
  }
  bdd_translator_forget(&y->translator);
  y->standing = NO_ID;
}

// The states in which the thread stands there and may run, without its counter.
static Bdd standing_there(BddSystem *y, BddPlace *place, Bdd states) {
  Bdd here = bdd_space_restrict(states, place->at);
  if (here == BDD_FALSE) return here;
  build_place(y, place);
  if (!bdd_system_flaw(y)) bdd_space_and_into(&here, place->may);
  return here;
}

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
  bdd_space_replace(&after, bdd_space_exists(after, a.counters)); // of a thread that is created
  bdd_space_and_into(&after, a.there);
  arrival_drop(a);
  return after;
}

Bdd bdd_system_after(BddSystem *y, Bdd states) {
  Bdd all = BDD_FALSE;
  for (size_t i = 0; i < y->places.count && !bdd_system_flaw(y); i++) {
    BddPlace *place = &y->places.data[i];
    Bdd here = standing_there(y, place, states);
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
    Bdd here = standing_there(y, place, before);
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
    Bdd at = stands_at(y, t, 0);
    bdd_space_and_into(&states, at);
    bdd_space_drop(at);
  }
  return states;
}

// --- what is bad ---

static const CircuitEdge *find_goal(const CircuitEdgeVector *goals, AigLiteral possible) {
  for (size_t i = 0; i < goals->count; i++)
    if (goals->data[i].possible == possible) return &goals->data[i];
  return NULL;
}

static void seek_one(BddSystem *y, AigLiteral bad) {
  BddGoal goal = {.edge = find_goal(&y->c->errors, bad), .states = BDD_FALSE};
  if (!goal.edge) goal.edge = find_goal(&y->c->cuts, bad);
  if (!goal.edge) {
    goal.states = translate(y, bad);
    bdd_space_replace(&goal.states, bdd_space_exists(goal.states, y->inputs));
  }
  BddGoalVector_push(&y->goals, goal);
}

// A disjunction is sought by its parts.
void bdd_system_seek(BddSystem *y, AigLiteral bad) {
  U32Vector open;
  U32Vector_init(&open, y->account);
  if (bad != AIG_FALSE) U32Vector_push(&open, bad);
  while (open.count > 0 && !bdd_system_flaw(y)) {
    AigLiteral part = U32Vector_pop(&open);
    uint32_t node = aig_node(part);
    if (aig_is_inverted(part) && aig_is_gate(&y->c->aig, node)) {
      U32Vector_push(&open, aig_not(aig_left(&y->c->aig, node)));
      U32Vector_push(&open, aig_not(aig_right(&y->c->aig, node)));
    } else {
      seek_one(y, part);
    }
  }
  bdd_translator_forget(&y->translator);
  U32Vector_free(&open);
}

static Bdd bad_by_edge(BddSystem *y, const CircuitEdge *goal, Bdd states) {
  LocationId from = program_of(y)->edges.data[goal->edge].from;
  Bdd at = stands_at(y, goal->thread, y->c->place_of.data[from]), here = bdd_space_restrict(states, at);
  if (here != BDD_FALSE) bdd_space_and_into(&here, (Bdd)y->allowed.data[goal->thread]);
  if (here != BDD_FALSE && !bdd_system_flaw(y))
    bdd_space_replace(&here, bdd_states_enabled(&y->states, here, goal->edge, goal->missed));
  bdd_space_and_into(&here, at);
  bdd_space_drop(at);
  return here;
}

Bdd bdd_system_bad(BddSystem *y, Bdd states) {
  Bdd bad = BDD_FALSE;
  for (size_t i = 0; i < y->goals.count && bad == BDD_FALSE && !bdd_system_flaw(y); i++) {
    const BddGoal *goal = &y->goals.data[i];
    bad = goal->edge ? bad_by_edge(y, goal->edge, states) : bdd_space_and(states, goal->states);
  }
  return bad;
}

// --- all ---

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
                                                 .at = stands_at(y, edge->thread, y->c->place_of.data[from]),
                                                 .may = BDD_FALSE});
    BddPlaceVector_last(&y->places)->edge_count++;
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
  *y = (BddSystem){.c = c, .standing = NO_ID, .account = account};
  U32Vector *const vectors[] = {&y->leaf, &y->thread_of, &y->first_variable, &y->counters, &y->allowed, &y->edge_may};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
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
  name_all(y);
  find_cubes(y);
  find_places(y);
  for (ThreadId t = 0; t < c->threads.count; t++)
    U32Vector_push(&y->allowed, (uint32_t)translate(y, c->threads.data[t].allowed));
  bdd_translator_forget(&y->translator);
}

// Closing the instance frees all diagrams.
void bdd_system_free(BddSystem *y) {
  bdd_translator_free(&y->translator);
  bdd_states_free(&y->states);
  BddGoalVector_free(&y->goals);
  BddPlaceVector_free(&y->places);
  U32Vector *const vectors[] = {&y->leaf, &y->thread_of, &y->first_variable, &y->counters, &y->allowed, &y->edge_may};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
}
