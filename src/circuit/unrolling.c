#include "circuit/unrolling.h"

static void reach_location(Unrolling *u, LocationId location, uint32_t distance, U32Vector *open) {
  if (location == NO_ID || u->distance.data[location] != NO_ID) return;
  u->distance.data[location] = distance;
  U32Vector_push(open, location);
}

// How many steps it takes a thread to get somewhere, at least; its creation counts. Breadth first.
static void find_distances(Unrolling *u) {
  const Program *p = u->circuit->transitions->program;
  for (LocationId l = 0; l < p->locations.count; l++) U32Vector_push(&u->distance, NO_ID);
  U32Vector open;
  U32Vector_init(&open, u->account);
  reach_location(u, p->threads.data[0].entry, 0, &open);
  for (size_t i = 0; i < open.count; i++) {
    LocationId from = open.data[i];
    uint32_t next = u->distance.data[from] + 1;
    for (uint32_t k = 0; k < p->locations.data[from].out_count; k++) {
      EdgeId e = p->out_edges.data[p->locations.data[from].first_out + k], start;
      if (!circuit_takes(u->circuit, e)) continue;
      ThreadId created = u->circuit->transitions->edges.data[e].creates;
      reach_location(u, p->edges.data[e].to, next, &open);
      if (created != NO_ID) reach_location(u, thread_beginning(p, created, &start), next, &open);
    }
  }
  U32Vector_free(&open);
  for (LocationId l = 0; l < p->locations.count; l++) { // of those that share a place, the nearest counts
    if (u->circuit->place_of.data[l] == NO_ID) continue;
    const CircuitThread *thread = circuit_thread(u->circuit, p->locations.data[l].thread);
    LocationId first = thread->locations.data[u->circuit->place_of.data[l]];
    if (u->distance.data[l] < u->distance.data[first]) u->distance.data[first] = u->distance.data[l];
  }
}

void unrolling_init(Unrolling *u, const Circuit *circuit, bool from_start, Account *account) {
  *u = (Unrolling){.circuit = circuit, .from_start = from_start, .account = account};
  aig_init(&u->aig, account);
  aig_copy_init(&u->copy, &circuit->aig, &u->aig, account);
  U32Vector_init(&u->latches, account);
  U32Vector_init(&u->inputs, account);
  U32Vector_init(&u->distance, account);
  if (from_start) find_distances(u);
}

void unrolling_free(Unrolling *u) {
  U32Vector_free(&u->distance);
  U32Vector_free(&u->inputs);
  U32Vector_free(&u->latches);
  aig_copy_free(&u->copy);
  aig_free(&u->aig);
}

// The values of the latches in the new frame, before the copy of the last one is forgotten.
static void add_latches(Unrolling *u) {
  for (size_t i = 0; i < u->circuit->latches.count; i++) {
    AigLiteral value = AIG_FALSE;
    if (u->frames > 0)
      value = aig_copy_literal(&u->copy, u->circuit->latches.data[i].next);
    else if (!u->from_start)
      value = aig_input(&u->aig);
    U32Vector_push(&u->latches, value);
  }
}

static bool is_too_far(const Unrolling *u, const CircuitThread *thread, uint32_t place) {
  LocationId location = thread->locations.data[place];
  return location != NO_ID && u->distance.data[location] > u->frames;
}

static void exclude_far_places(Unrolling *u) {
  for (size_t t = 0; t < u->circuit->threads.count; t++) {
    const CircuitThread *thread = &u->circuit->threads.data[t];
    for (uint32_t place = 0; place < thread->at.count; place++)
      if (aig_is_gate(&u->circuit->aig, aig_node(thread->at.data[place])) && is_too_far(u, thread, place))
        aig_copy_put(&u->copy, thread->at.data[place], AIG_FALSE);
  }
}

void unrolling_add_frame(Unrolling *u) {
  add_latches(u);
  const Circuit *c = u->circuit;
  aig_copy_forget(&u->copy);
  const AigLiteral *latches = u->latches.data + u->frames * c->latches.count;
  for (size_t i = 0; i < c->latches.count; i++) aig_copy_put(&u->copy, c->latches.data[i].now, latches[i]);
  for (size_t i = 0; i < c->inputs.count; i++) {
    AigLiteral input = aig_input(&u->aig);
    U32Vector_push(&u->inputs, input);
    aig_copy_put(&u->copy, c->inputs.data[i].literal, input);
  }
  if (u->from_start) exclude_far_places(u);
  u->frames++;
}
