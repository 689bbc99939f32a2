#include "circuit/model/least_steps.h"

static void reach_place(uint32_t *steps, uint32_t place, uint32_t distance, U32Vector *open) {
  if (place == NO_ID || steps[place] != NO_ID) return;
  steps[place] = distance;
  U32Vector_push(open, place);
}

// Breadth-first search over the places of a thread. To be created is not a step of the thread itself. Returns the most
// steps.
static uint32_t find_steps(const Circuit *c, ThreadId thread, uint32_t *steps, U32Vector *open) {
  const Program *p = c->transitions->program;
  U32Vector_clear(open);
  reach_place(steps, 0, 0, open);
  if (thread > 0) reach_place(steps, 1, 0, open);
  uint32_t most = 0;
  for (size_t i = 0; i < open->count; i++) {
    uint32_t from = open->data[i];
    LocationId location = c->threads.data[thread].locations.data[from];
    most = steps[from];
    if (location == NO_ID) continue;
    for (uint32_t k = 0; k < p->locations.data[location].out_count; k++) {
      EdgeId e = location_out_edge(p, &p->locations.data[location], k);
      if (circuit_takes(c, e)) reach_place(steps, c->place_of.data[p->edges.data[e].to], most + 1, open);
    }
  }
  return most;
}

void least_steps_init(LeastSteps *least, const Circuit *circuit, Account *account) {
  *least = (LeastSteps){.circuit = circuit, .account = account};
  U32Vector *const vectors[] = {&least->steps, &least->most, &least->reached, &least->first};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  U32Vector open;
  U32Vector_init(&open, account);
  for (ThreadId t = 0; t < circuit->threads.count; t++) {
    size_t first = least->steps.count;
    for (size_t i = 0; i < circuit->threads.data[t].at.count; i++) U32Vector_push(&least->steps, NO_ID);
    U32Vector_push(&least->most, find_steps(circuit, t, least->steps.data + first, &open));
    U32Vector_push(&least->first, (uint32_t)least->reached.count);
    U32Vector_resize(&least->reached, least->reached.count + least->most.data[t] + 1);
  }
  U32Vector_free(&open);
}

void least_steps_free(LeastSteps *least) {
  U32Vector *const vectors[] = {&least->steps, &least->most, &least->reached, &least->first};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
}

// Per thread and number n: the thread is at a place that takes at least n steps.
static void find_reached(LeastSteps *least, Unrolling *u) {
  const Circuit *c = least->circuit;
  for (size_t i = 0; i < least->reached.count; i++) least->reached.data[i] = AIG_FALSE;
  size_t place = 0;
  for (size_t t = 0; t < c->threads.count; t++) {
    AigLiteral *reached = least->reached.data + least->first.data[t];
    for (size_t i = 0; i < c->threads.data[t].at.count; i++, place++) {
      uint32_t steps = least->steps.data[place];
      if (steps != NO_ID) reached[steps] = aig_or(&u->aig, reached[steps], u->places.data[place]);
    }
    for (uint32_t n = least->most.data[t]; n-- > 0;) reached[n] = aig_or(&u->aig, reached[n], reached[n + 1]);
  }
}

// The two threads have not taken more than `passed` steps together.
static void assert_pair(const LeastSteps *least, ThreadId a, ThreadId b, uint32_t passed, AigSat *sat) {
  const AigLiteral *of_a = least->reached.data + least->first.data[a];
  const AigLiteral *of_b = least->reached.data + least->first.data[b];
  for (uint32_t n = 1; n <= least->most.data[a] && n <= passed; n++) {
    uint32_t rest = passed - n + 1; // more than the other thread can have taken
    if (rest > least->most.data[b] || of_a[n] == AIG_FALSE || of_b[rest] == AIG_FALSE) continue;
    AigLiteral clause[2] = {aig_not(of_a[n]), aig_not(of_b[rest])};
    aig_sat_assert_clause(sat, clause, 2);
  }
}

void least_steps_assert(LeastSteps *least, Unrolling *u, AigSat *sat) {
  assert(u->from_start && u->frames > 0 && u->places.count == least->steps.count);
  find_reached(least, u);
  for (ThreadId a = 0; a < least->circuit->threads.count; a++)
    for (ThreadId b = a + 1; b < least->circuit->threads.count; b++) assert_pair(least, a, b, u->frames - 1, sat);
}
