// From the hull to a lasso, backward. From a state, the search goes back to the nearest step with a justice that is
// still missing, until the loop has all justice, and then on until it meets the first state. If it cannot meet it, the
// last state is in a strongly connected component before that of the first state; the search begins anew there. This
// ends, because there are finitely many components.
#include "circuit/methods/lasso_bdd.h"
#include "circuit/model/simulation.h"

// Limits for repeating the loop until all latches, also those outside of the cone, are the same again.
enum { MOST_ROUNDS = 10000, MOST_BYTES = 1 << 26 };

typedef struct Finding {
  LassoSystem *y;
  const U32Vector *rings;
  Bdd hull;
  U32Vector targets; // per justice: the states of the hull after its steps from the hull
  ByteVector met;    // per justice: the loop has it
  U32Vector layers;  // sets of states, from a state backward; each without the states of the layers before
  ByteVector loop;   // the inputs of its steps so far
  ByteVector stem;
  ByteVector values; // of all variables, in a step
} Finding;

static bool stopped(Finding *f) { return lasso_system_stopped(f->y); }

// --- layers ---

static void drop_layers(Finding *f) {
  for (size_t i = 0; i < f->layers.count; i++) bdd_space_drop((Bdd)f->layers.data[i]);
  U32Vector_clear(&f->layers);
}

// A goal that the newest layer meets and that is not done; SIZE_MAX: none.
static size_t goal_met(Finding *f, const U32Vector *goals, const ByteVector *done) {
  for (size_t i = 0; i < goals->count; i++)
    if (!(done && done->data[i]) && bdd_space_intersects((Bdd)*U32Vector_last(&f->layers), (Bdd)goals->data[i]))
      return i;
  return SIZE_MAX;
}

// Builds layers from the state backward until one meets a goal that is not done. SIZE_MAX: none does, or it had to
// stop.
static size_t seek(Finding *f, Bdd state, const U32Vector *goals, const ByteVector *done) {
  drop_layers(f);
  U32Vector_push(&f->layers, (uint32_t)bdd_space_share(state));
  Bdd known = bdd_space_share(state);
  size_t met = goal_met(f, goals, done);
  while (met == SIZE_MAX && !stopped(f)) {
    lasso_system_reorder(f->y, known);
    Bdd before = lasso_system_before(f->y, (Bdd)*U32Vector_last(&f->layers), f->y->constraint);
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

// A step is stored as the values of all inputs and one more byte, because there may be no inputs.
static size_t step_width(const Circuit *c) { return c->inputs.count + 1; }

// Adds a step to the end of the segment, and notes which justice it has.
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

// Adds the steps from a state of the last layer through all layers to the first. False: it had to stop.
static bool walk(Finding *f, Bdd from, ByteVector *segment) {
  Bdd state = bdd_space_share(from);
  bool found = true;
  for (size_t i = f->layers.count - 1; i-- > 0 && found && !stopped(f);) {
    found = lasso_system_step(f->y, state, f->y->constraint, (Bdd)f->layers.data[i], &f->values);
    if (!found) break;
    add_step(f, segment);
    bdd_space_replace(&state, lasso_system_next_of(f->y, &f->values));
  }
  assert(stopped(f) || !found || state == (Bdd)f->layers.data[0]);
  bdd_space_drop(state);
  return found && !stopped(f);
}

// Puts the segment before the loop so far.
static void put_first(Finding *f, const ByteVector *segment) {
  size_t old = f->loop.count;
  assert(segment->count % step_width(f->y->c) == 0);
  if (segment->count == 0) return;
  ByteVector_resize(&f->loop, old + segment->count);
  memmove(f->loop.data + segment->count, f->loop.data, old);
  memcpy(f->loop.data, segment->data, segment->count);
}

// --- the loop ---

// Goes back to a step with a justice that was not met. Returns the state before this step; BDD_FALSE: it had to stop.
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

// Puts a path from `first` to `state` before the loop so far. False: there is none, or it had to stop.
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

// Finds a loop. Returns the state at which it begins; BDD_FALSE: it had to stop.
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

// The first ring that has a state of the set.
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
    Bdd before = lasso_system_before(f->y, (Bdd)*U32Vector_last(&f->layers), f->y->constraint);
    bdd_space_and_into(&before, (Bdd)f->rings->data[ring]);
    Bdd one = stopped(f) ? BDD_FALSE : lasso_system_pick(f->y, before);
    bdd_space_drop(before);
    if (one == BDD_FALSE) return false;
    U32Vector_push(&f->layers, (uint32_t)one);
  }
  return !stopped(f) && walk(f, (Bdd)*U32Vector_last(&f->layers), &f->stem);
}

// --- all latches ---

static void add_to_trace(Question *question, const ByteVector *steps) {
  const Circuit *c = question->circuit;
  for (size_t at = 0; at < steps->count; at += step_width(c)) {
    uint8_t *inputs = circuit_trace_add(question->trace, c);
    if (c->inputs.count > 0) memcpy(inputs, steps->data + at, c->inputs.count);
  }
}

// The values of latches after the trace; before any step they are 0.
static void note_latches(Simulation *m, ByteVector *state) {
  while (simulation_next(m)) {}
  ByteVector_clear(state);
  for (size_t i = 0; i < m->c->latches.count; i++)
    ByteVector_push(state, m->step > 0 && simulation_holds(m, m->c->latches.data[i].next));
}

// Repeats the loop until all latches have the values that they had before some round. The lasso's loop begins with this
// round.
static bool repeat_loop(Finding *f, Simulation *m, Question *question) {
  ByteVector state, states; // `states`: before each round
  Map round_of;             // hash of a state -> round
  ByteVector_init(&state, f->y->account);
  ByteVector_init(&states, f->y->account);
  map_init(&round_of, f->y->account);
  assert(f->loop.count > 0 && f->loop.count % step_width(m->c) == 0);
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
    add_to_trace(question, &f->loop);
  }
  map_free(&round_of);
  ByteVector_free(&states);
  ByteVector_free(&state);
  return closed;
}

static LassoClosing make_trace(Finding *f, Question *question) {
  Simulation m;
  simulation_init(&m, question->circuit, question->trace);
  add_to_trace(question, &f->stem);
  bool closed = repeat_loop(f, &m, question);
  simulation_free(&m);
  if (closed) return LASSO_CLOSED;
  circuit_trace_clear(question->trace);
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

LassoClosing lasso_bdd_find(LassoSystem *y, const U32Vector *rings, Bdd hull, Question *question) {
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
  LassoClosing closing = found ? make_trace(&f, question) : LASSO_STOPPED;
  ByteVector_free(&f.values);
  ByteVector_free(&f.stem);
  ByteVector_free(&f.loop);
  ByteVector_free(&f.met);
  U32Vector_free(&f.layers);
  U32Vector_free(&f.targets);
  return closing;
}
