#include "circuit/model/least_steps.h"

static void reach_place(uint32_t *steps, uint32_t place, uint32_t distance, U32Vector *open) {
  if (place == NO_ID || steps[place] != NO_ID) return;
  steps[place] = distance;
  U32Vector_push(open, place);
}

// Breadth first over the places of a thread. Being created is no step of its own.
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
      EdgeId e = p->out_edges.data[p->locations.data[location].first_out + k];
      if (circuit_takes(c, e)) reach_place(steps, c->place_of.data[p->edges.data[e].to], most + 1, open);
    }
  }
  return most;
}

void progress_init(Progress *progress, const Circuit *circuit, Account *account) {
  *progress = (Progress){.circuit = circuit, .account = account};
  U32Vector *const vectors[] = {&progress->steps, &progress->most, &progress->reached, &progress->first};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  U32Vector open;
  U32Vector_init(&open, account);
  for (ThreadId t = 0; t < circuit->threads.count; t++) {
    size_t first = progress->steps.count;
    for (size_t i = 0; i < circuit->threads.data[t].at.count; i++) U32Vector_push(&progress->steps, NO_ID);
    U32Vector_push(&progress->most, find_steps(circuit, t, progress->steps.data + first, &open));
    U32Vector_push(&progress->first, (uint32_t)progress->reached.count);
    U32Vector_resize(&progress->reached, progress->reached.count + progress->most.data[t] + 1);
  }
  U32Vector_free(&open);
}

void progress_free(Progress *progress) {
  U32Vector *const vectors[] = {&progress->steps, &progress->most, &progress->reached, &progress->first};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
}

static void find_reached(Progress *progress, Unrolling *u) {
  const Circuit *c = progress->circuit;
  for (size_t i = 0; i < progress->reached.count; i++) progress->reached.data[i] = AIG_FALSE;
  size_t place = 0;
  for (size_t t = 0; t < c->threads.count; t++) {
    AigLiteral *reached = progress->reached.data + progress->first.data[t];
    for (size_t i = 0; i < c->threads.data[t].at.count; i++, place++) {
      uint32_t steps = progress->steps.data[place];
      if (steps != NO_ID) reached[steps] = aig_or(&u->aig, reached[steps], u->places.data[place]);
    }
    for (uint32_t n = progress->most.data[t]; n-- > 0;) reached[n] = aig_or(&u->aig, reached[n], reached[n + 1]);
  }
}

static void assert_pair(const Progress *progress, ThreadId a, ThreadId b, uint32_t passed, AigSat *sat) {
  const AigLiteral *of_a = progress->reached.data + progress->first.data[a];
  const AigLiteral *of_b = progress->reached.data + progress->first.data[b];
  for (uint32_t n = 1; n <= progress->most.data[a] && n <= passed; n++) {
    uint32_t rest = passed - n + 1; // too many for the other
    if (rest > progress->most.data[b] || of_a[n] == AIG_FALSE || of_b[rest] == AIG_FALSE) continue;
    AigLiteral clause[2] = {aig_not(of_a[n]), aig_not(of_b[rest])};
    aig_sat_assert_clause(sat, clause, 2);
  }
}

void progress_assert(Progress *progress, Unrolling *u, AigSat *sat) {
  find_reached(progress, u);
  for (ThreadId a = 0; a < progress->circuit->threads.count; a++)
    for (ThreadId b = a + 1; b < progress->circuit->threads.count; b++) assert_pair(progress, a, b, u->frames - 1, sat);
}
