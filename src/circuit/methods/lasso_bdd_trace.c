// From the hull to a lasso, backward: from a state to a step with one justice after the other, each time the nearest one, and
// then on until the state itself is met. If it cannot be met, the last state is above it in the order of strongly connected
// sets, and is where to begin anew; this ends, for there are finitely many.
#include "circuit/methods/lasso_bdd.h"
#include "circuit/model/simulation.h"

// Backward layers are kept, one diagram per step; a loop may be repeated until all latches are the same again.
enum { MOST_ROUNDS = 10000, MOST_BYTES = 1 << 26 };

typedef struct Finding {
  LassoSystem *y;
  const U32Vector *rings;
  Bdd hull;
  U32Vector targets; // per justice: the states of the hull after its steps from the hull
  ByteVector met;    // per justice: the loop has it
  U32Vector layers;  // from a state backward, each without what the ones before have
  ByteVector loop;   // the inputs of steps; what was found last comes first
  ByteVector stem;
  ByteVector values; // of variables in a step
} Finding;

static bool stopped(Finding *f) { return lasso_system_stopped(f->y); }

// --- layers ---

static void drop_layers(Finding *f) {
  for (size_t i = 0; i < f->layers.count; i++) bdd_space_drop((Bdd)f->layers.data[i]);
  U32Vector_clear(&f->layers);
}

// One of the goals that the newest layer meets.
static size_t goal_met(Finding *f, const U32Vector *goals, const ByteVector *done) {
  for (size_t i = 0; i < goals->count; i++)
    if (!(done && done->data[i]) && bdd_space_intersects((Bdd)*U32Vector_last(&f->layers), (Bdd)goals->data[i]))
      return i;
  return SIZE_MAX;
}

// Layers from the state until one meets a goal that is not done. SIZE_MAX: none does, or it had to stop.
static size_t seek(Finding *f, Bdd state, const U32Vector *goals, const ByteVector *done) {
  drop_layers(f);
  U32Vector_push(&f->layers, (uint32_t)bdd_space_share(state));
  Bdd known = bdd_space_share(state);
  size_t met = goal_met(f, goals, done);
  while (met == SIZE_MAX && !stopped(f)) {
    lasso_system_reorder(f->y, known);
    Bdd before = lasso_system_before(f->y, (Bdd)*U32Vector_last(&f->layers), f->y->always);
    bdd_space_and_into(&before, f->hull);
    bdd_space_replace(&before, bdd_space_minus(before, known));
    if (before == BDD_FALSE || stopped(f)) break;
    U32Vector_push(&f->layers, (uint32_t)before);
    bdd_space_or_into(&known, before);
    met = goal_met(f, goals, done);
    log_progress(f->y->question->log, "bdd: loop, %zu steps back, %zu nodes", f->layers.count, bdd_space_node_count());
  }
  bdd_space_drop(known);
  return stopped(f) ? SIZE_MAX : met;
}

// --- steps ---

// A step is told by the values of all inputs, and a byte more: there may be none.
static size_t step_width(const Circuit *c) { return c->inputs.count + 1; }

// Adds a step, and notes what justice it has.
static void add_step(Finding *f, ByteVector *segment) {
  const Circuit *c = f->y->c;
  for (size_t i = 0; i < c->inputs.count; i++) {
    uint32_t variable = f->y->leaf.data[lasso_leaf_of(f->y, c->inputs.data[i].literal)];
    ByteVector_push(segment, variable != NO_ID && f->values.data[variable]);
  }
  ByteVector_push(segment, 0);
  for (size_t i = 0; i < f->met.count; i++)
    if (bdd_space_evaluate((Bdd)f->y->just.data[i], f->values.data)) f->met.data[i] = 1;
}

// From a state of the last layer through all layers to the first. False: it had to stop.
static bool walk(Finding *f, Bdd from, ByteVector *segment) {
  Bdd state = bdd_space_share(from);
  bool found = true;
  for (size_t i = f->layers.count - 1; i-- > 0 && found && !stopped(f);) {
    found = lasso_system_step(f->y, state, f->y->always, (Bdd)f->layers.data[i], &f->values);
    if (!found) break;
    add_step(f, segment);
    bdd_space_replace(&state, lasso_system_next_of(f->y, &f->values));
  }
  assert(stopped(f) || !found || state == (Bdd)f->layers.data[0]);
  bdd_space_drop(state);
  return found && !stopped(f);
}

static void put_first(Finding *f, const ByteVector *segment) {
  size_t old = f->loop.count;
  if (segment->count == 0) return;
  ByteVector_resize(&f->loop, old + segment->count);
  memmove(f->loop.data + segment->count, f->loop.data, old);
  memcpy(f->loop.data, segment->data, segment->count);
}

// --- the loop ---

// Goes back to a step with a justice that was not met, and over it. BDD_FALSE: it had to stop.
static Bdd back_to_justice(Finding *f, Bdd state) {
  size_t justice = seek(f, state, &f->targets, &f->met);
  if (justice == SIZE_MAX) return BDD_FALSE;
  Bdd just = (Bdd)f->y->just.data[justice];
  Bdd all = bdd_space_and((Bdd)*U32Vector_last(&f->layers), (Bdd)f->targets.data[justice]);
  Bdd after = lasso_system_pick(f->y, all);
  Bdd earlier = lasso_system_before(f->y, after, just);
  bdd_space_and_into(&earlier, f->hull);
  Bdd before = stopped(f) ? BDD_FALSE : lasso_system_pick(f->y, earlier);
  ByteVector segment;
  ByteVector_init(&segment, f->y->account);
  bool found = before != BDD_FALSE && lasso_system_step(f->y, before, just, after, &f->values);
  if (found) add_step(f, &segment);
  found = found && walk(f, after, &segment);
  if (found) put_first(f, &segment);
  ByteVector_free(&segment);
  bdd_space_drop(earlier);
  bdd_space_drop(after);
  bdd_space_drop(all);
  if (!found) bdd_space_replace(&before, BDD_FALSE);
  return before;
}

static bool all_met(const Finding *f) {
  for (size_t i = 0; i < f->met.count; i++)
    if (!f->met.data[i]) return false;
  return true;
}

// The way from `first` to `state`, before the loop so far. False: there is none, or it had to stop.
static bool close_loop(Finding *f, Bdd first, Bdd state) {
  U32Vector goal;
  U32Vector_init(&goal, f->y->account);
  U32Vector_push(&goal, (uint32_t)first);
  bool closes = seek(f, state, &goal, NULL) != SIZE_MAX;
  U32Vector_free(&goal);
  if (!closes) return false;
  ByteVector segment;
  ByteVector_init(&segment, f->y->account);
  bool found = walk(f, first, &segment);
  if (found) put_first(f, &segment);
  ByteVector_free(&segment);
  return found;
}

// Where the loop that was found begins. BDD_FALSE: it had to stop.
static Bdd find_loop(Finding *f, Bdd begin) {
  Bdd first = bdd_space_share(begin);
  while (first != BDD_FALSE && !stopped(f)) {
    ByteVector_clear(&f->loop);
    memset(f->met.data, 0, f->met.count);
    Bdd state = bdd_space_share(first);
    while (state != BDD_FALSE && !all_met(f) && !stopped(f)) bdd_space_replace(&state, back_to_justice(f, state));
    if (state != BDD_FALSE && !stopped(f) && close_loop(f, first, state)) {
      bdd_space_drop(state);
      return first;
    }
    bdd_space_replace(&first, state);
  }
  bdd_space_drop(first);
  return BDD_FALSE;
}

// --- the stem ---

static size_t ring_of(const Finding *f, Bdd states) {
  for (size_t i = 0; i < f->rings->count; i++)
    if (bdd_space_intersects((Bdd)f->rings->data[i], states)) return i;
  return SIZE_MAX;
}

static bool find_stem(Finding *f, Bdd first) {
  size_t ring = ring_of(f, first);
  if (ring == SIZE_MAX) return false;
  drop_layers(f);
  U32Vector_push(&f->layers, (uint32_t)bdd_space_share(first));
  while (ring-- > 0 && !stopped(f)) {
    Bdd before = lasso_system_before(f->y, (Bdd)*U32Vector_last(&f->layers), f->y->always);
    bdd_space_and_into(&before, (Bdd)f->rings->data[ring]);
    Bdd one = stopped(f) ? BDD_FALSE : lasso_system_pick(f->y, before);
    bdd_space_drop(before);
    if (one == BDD_FALSE) return false;
    U32Vector_push(&f->layers, (uint32_t)one);
  }
  return !stopped(f) && walk(f, (Bdd)*U32Vector_last(&f->layers), &f->stem);
}

// --- all latches ---

static void tell(LassoQuestion *question, const ByteVector *steps) {
  const Circuit *c = question->circuit;
  for (size_t at = 0; at < steps->count; at += step_width(c)) {
    uint8_t *inputs = circuit_trace_add(question->trace, c);
    if (c->inputs.count > 0) memcpy(inputs, steps->data + at, c->inputs.count);
  }
}

// What latches are after the trace; at the start, before any step, nodes are 0 and latches, too.
static void note_latches(Simulation *m, ByteVector *state) {
  while (simulation_next(m)) {}
  ByteVector_clear(state);
  for (size_t i = 0; i < m->c->latches.count; i++)
    ByteVector_push(state, m->step > 0 && simulation_holds(m, m->c->latches.data[i].next));
}

// Repeats the loop until all latches are what they were before some round, where the lasso's loop starts then.
static bool repeat_loop(Finding *f, Simulation *m, LassoQuestion *question) {
  ByteVector state, states; // `states`: before each round
  Map round_of;             // hash of a state -> round
  ByteVector_init(&state, f->y->account);
  ByteVector_init(&states, f->y->account);
  map_init(&round_of, f->y->account);
  uint32_t length = (uint32_t)(f->loop.count / step_width(m->c)), stem = question->trace->steps;
  size_t width = m->c->latches.count;
  bool closed = false;
  for (uint32_t round = 0; round <= MOST_ROUNDS && round * f->loop.count <= MOST_BYTES && !stopped(f); round++) {
    note_latches(m, &state);
    uint64_t hash = width > 0 ? hash_bytes(state.data, width) : 0, old;
    closed =
        map_get(&round_of, hash, &old) && (width == 0 || memcmp(states.data + old * width, state.data, width) == 0);
    if (closed) {
      question->loop_start = stem + (uint32_t)old * length;
      break;
    }
    map_put(&round_of, hash, round);
    for (size_t i = 0; i < width; i++) ByteVector_push(&states, state.data[i]);
    tell(question, &f->loop);
  }
  map_free(&round_of);
  ByteVector_free(&states);
  ByteVector_free(&state);
  return closed;
}

static LassoClosing tell_lasso(Finding *f, LassoQuestion *question) {
  Simulation m;
  simulation_init(&m, question->circuit, question->trace);
  tell(question, &f->stem);
  bool closed = repeat_loop(f, &m, question);
  simulation_free(&m);
  if (closed) return LASSO_CLOSED;
  ByteVector_clear(&question->trace->inputs);
  question->trace->steps = 0;
  return stopped(f) ? LASSO_STOPPED : LASSO_OPEN;
}

// --- all ---

static bool find(Finding *f) {
  for (size_t i = 0; i < f->y->just.count && !stopped(f); i++) {
    Bdd target = lasso_system_after(f->y, f->hull, (Bdd)f->y->just.data[i]);
    bdd_space_and_into(&target, f->hull);
    U32Vector_push(&f->targets, (uint32_t)target);
  }
  ByteVector_resize(&f->met, f->targets.count);
  size_t ring = stopped(f) ? SIZE_MAX : ring_of(f, f->hull);
  if (ring == SIZE_MAX) return false;
  Bdd nearest = bdd_space_and((Bdd)f->rings->data[ring], f->hull);
  Bdd begin = lasso_system_pick(f->y, nearest), first = find_loop(f, begin);
  bool found = first != BDD_FALSE && !stopped(f) && find_stem(f, first);
  bdd_space_drop(first);
  bdd_space_drop(begin);
  bdd_space_drop(nearest);
  return found;
}

LassoClosing lasso_bdd_find(LassoSystem *y, const U32Vector *rings, Bdd hull, LassoQuestion *question) {
  Finding f = {.y = y, .rings = rings, .hull = hull};
  U32Vector_init(&f.targets, y->account);
  U32Vector_init(&f.layers, y->account);
  ByteVector_init(&f.met, y->account);
  ByteVector_init(&f.loop, y->account);
  ByteVector_init(&f.stem, y->account);
  ByteVector_init(&f.values, y->account);
  bool found = find(&f);
  drop_layers(&f);
  for (size_t i = 0; i < f.targets.count; i++) bdd_space_drop((Bdd)f.targets.data[i]);
  LassoClosing closing = found ? tell_lasso(&f, question) : LASSO_STOPPED;
  ByteVector_free(&f.values);
  ByteVector_free(&f.stem);
  ByteVector_free(&f.loop);
  ByteVector_free(&f.met);
  U32Vector_free(&f.layers);
  U32Vector_free(&f.targets);
  return closing;
}
