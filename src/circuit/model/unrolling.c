#include "circuit/model/unrolling.h"

void unrolling_init(Unrolling *u, const Circuit *circuit, bool from_start, Account *account) {
  *u = (Unrolling){.circuit = circuit, .from_start = from_start, .account = account};
  aig_init(&u->aig, account);
  aig_copy_init(&u->copy, &circuit->aig, &u->aig, account);
  U32Vector_init(&u->latches, account);
  U32Vector_init(&u->inputs, account);
  U32Vector_init(&u->places, account);
  CopiesVector_init(&u->kept, account);
}

void unrolling_keep_idle_steps(Unrolling *u) {
  assert(u->frames == 0);
  u->idles = true;
}

static void drop_kept(Unrolling *u, uint32_t frame) {
  for (uint32_t i = u->kept_from; i < frame; i++) U32Vector_free(&u->kept.data[i]);
  u->kept_from = frame;
}

void unrolling_keep_from(Unrolling *u, uint32_t frame) {
  assert(frame <= u->frames && frame >= u->kept_from && (u->keeps || u->frames == 0));
  u->keeps = true;
  drop_kept(u, frame < u->kept.count ? frame : (uint32_t)u->kept.count);
}

// The last frame is about to be an earlier one.
static void keep_last(Unrolling *u) {
  if (!u->keeps || u->frames == 0) return;
  assert(u->kept.count == u->frames - 1);
  CopiesVector_push(&u->kept, u->copy.known);
  U32Vector_init(&u->copy.known, u->account);
}

AigLiteral unrolling_literal_at(Unrolling *u, uint32_t frame, AigLiteral of_circuit) {
  assert(frame < u->frames && frame >= u->kept_from);
  if (frame + 1 == u->frames) return unrolling_literal(u, of_circuit);
  U32Vector last = u->copy.known;
  u->copy.known = u->kept.data[frame];
  AigLiteral literal = unrolling_literal(u, of_circuit);
  u->kept.data[frame] = u->copy.known; // it may have grown
  u->copy.known = last;
  return literal;
}

void unrolling_free(Unrolling *u) {
  drop_kept(u, (uint32_t)u->kept.count);
  CopiesVector_free(&u->kept);
  U32Vector_free(&u->places);
  U32Vector_free(&u->inputs);
  U32Vector_free(&u->latches);
  aig_copy_free(&u->copy);
  aig_free(&u->aig);
}

// --- places of threads ---

static size_t first_place(const Circuit *c, ThreadId thread) {
  size_t first = 0;
  for (ThreadId t = 0; t < thread; t++) first += c->threads.data[t].at.count;
  return first;
}

static void note_arrival(Unrolling *u, U32Vector *arrives, AigLiteral taken, LocationId to) {
  const Circuit *c = u->circuit;
  assert(c->place_of.data[to] != NO_ID);
  ThreadId thread = c->transitions->program->locations.data[to].thread;
  AigLiteral *at = &arrives->data[first_place(c, thread) + c->place_of.data[to]];
  *at = aig_or(&u->aig, *at, taken);
}

// Fills in, for the step of the last frame, which thread arrives at which place and which threads are created.
static void find_arrivals(Unrolling *u, U32Vector *arrives, U32Vector *created) {
  const Circuit *c = u->circuit;
  const Program *p = c->transitions->program;
  for (size_t i = 0; i < c->edges.count; i++) {
    const CircuitEdge *edge = &c->edges.data[i];
    AigLiteral taken = aig_copy_literal(&u->copy, edge->taken);
    if (taken == AIG_FALSE) continue;
    note_arrival(u, arrives, taken, p->edges.data[edge->edge].to);
    EdgeId start;
    for (ThreadMask births = transitions_births(c->transitions, edge->edge); births != 0; births &= births - 1) {
      ThreadId child = first_thread(births);
      note_arrival(u, arrives, taken, thread_beginning(p, child, &start));
      created->data[child] = aig_or(&u->aig, created->data[child], taken);
    }
  }
}

// A thread stays at its place unless it moves or is created.
static void move_threads(Unrolling *u) {
  const Circuit *c = u->circuit;
  if (c->threads.count == 0) return;
  U32Vector arrives, created;
  U32Vector_init(&arrives, u->account);
  U32Vector_init(&created, u->account);
  U32Vector_resize(&arrives, u->places.count);
  U32Vector_resize(&created, c->threads.count);
  find_arrivals(u, &arrives, &created);
  size_t place = 0;
  for (size_t t = 0; t < c->threads.count; t++) {
    const CircuitThread *thread = &c->threads.data[t];
    AigLiteral moves = aig_or(&u->aig, aig_copy_literal(&u->copy, thread->execute), created.data[t]);
    for (size_t i = 0; i < thread->at.count; i++, place++) {
      AigLiteral stays = aig_and(&u->aig, u->places.data[place], aig_not(moves));
      u->places.data[place] = aig_or(&u->aig, arrives.data[place], stays);
    }
  }
  assert(place == u->places.count);
  U32Vector_free(&created);
  U32Vector_free(&arrives);
}

// In the initial state, each thread is at its first place.
static void place_threads(Unrolling *u) {
  for (size_t t = 0; t < u->circuit->threads.count; t++)
    for (size_t i = 0; i < u->circuit->threads.data[t].at.count; i++) U32Vector_push(&u->places, aig_constant(i == 0));
}

// The value of a bit of a program counter.
static AigLiteral counter_bit(Unrolling *u, const CircuitLatch *latch) {
  const U32Vector *at = &u->circuit->threads.data[latch->of].at;
  const AigLiteral *places = u->places.data + first_place(u->circuit, latch->of);
  U32Vector operands;
  U32Vector_init(&operands, u->account);
  for (uint32_t place = 0; place < at->count; place++)
    if (place >> latch->place & 1) U32Vector_push(&operands, places[place]);
  AigLiteral bit = aig_or_all(&u->aig, operands.data, operands.count);
  U32Vector_free(&operands);
  return bit;
}

// In the copy, the literals of places stand for the gates over the program counter's bits.
static void put_places(Unrolling *u) {
  const Circuit *c = u->circuit;
  size_t place = 0;
  for (size_t t = 0; t < c->threads.count; t++) {
    const U32Vector *at = &c->threads.data[t].at;
    for (size_t i = 0; i < at->count; i++, place++)
      if (aig_is_gate(&c->aig, aig_node(at->data[i]))) aig_copy_put(&u->copy, at->data[i], u->places.data[place]);
  }
}

// --- latches and inputs ---

// Adds the latches' values in the new frame. To be called before the copy of the last frame is forgotten.
static void add_latches(Unrolling *u) {
  if (u->from_start && u->frames == 0) place_threads(u);
  if (u->from_start && u->frames > 0) move_threads(u);
  for (size_t i = 0; i < u->circuit->latches.count; i++) {
    const CircuitLatch *latch = &u->circuit->latches.data[i];
    AigLiteral value = AIG_FALSE;
    bool placed = u->from_start && latch->kind == LATCH_COUNTER && u->circuit->threads.count > 0;
    if (u->frames > 0 && placed)
      value = counter_bit(u, latch);
    else if (u->frames > 0)
      value = aig_copy_literal(&u->copy, latch->next);
    else if (!u->from_start)
      value = aig_input(&u->aig);
    U32Vector_push(&u->latches, value);
  }
}

static void put_input(Unrolling *u, size_t i, AigLiteral value) {
  assert(i < u->circuit->inputs.count);
  u->inputs.data[u->frames * u->circuit->inputs.count + i] = value;
  aig_copy_put(&u->copy, u->circuit->inputs.data[i].literal, value);
}

// The only thread that may move in the new frame, or NO_ID.
static ThreadId find_only_mover(Unrolling *u) {
  const Circuit *c = u->circuit;
  ThreadId only = NO_ID;
  for (ThreadId t = 0; t < c->threads.count; t++) {
    if (aig_copy_literal(&u->copy, c->threads.data[t].enabled) == AIG_FALSE) continue;
    if (aig_copy_literal(&u->copy, c->threads.data[t].stubborn) == AIG_FALSE) continue;
    if (only != NO_ID) return NO_ID;
    only = t;
  }
  return only;
}

static void add_inputs(Unrolling *u) {
  const Circuit *c = u->circuit;
  for (size_t i = 0; i < c->inputs.count; i++) {
    U32Vector_push(&u->inputs, AIG_FALSE);
    if (c->inputs.data[i].kind != INPUT_SELECT || !u->from_start) put_input(u, i, aig_input(&u->aig));
  }
  if (!u->from_start) return;
  ThreadId only = u->idles ? NO_ID : find_only_mover(u); // this does not depend on the selection
  for (size_t i = 0; i < c->inputs.count; i++) {
    const CircuitInput *input = &c->inputs.data[i];
    if (input->kind != INPUT_SELECT) continue;
    put_input(u, i, only == NO_ID ? aig_input(&u->aig) : aig_constant(only >> input->of & 1));
  }
}

void unrolling_add_frame(Unrolling *u) {
  add_latches(u);
  const Circuit *c = u->circuit;
  keep_last(u);
  aig_copy_forget(&u->copy);
  const AigLiteral *latches = u->latches.data + u->frames * c->latches.count;
  for (size_t i = 0; i < c->latches.count; i++) aig_copy_put(&u->copy, c->latches.data[i].now, latches[i]);
  if (u->from_start) put_places(u);
  add_inputs(u);
  u->frames++;
  assert(u->latches.count == u->frames * c->latches.count && u->inputs.count == u->frames * c->inputs.count);
}
