#include "circuit/model/circuit_build.h"

#include <stdlib.h>

// A value that a step may give to a latch: if `taken` holds, the latch's bit becomes `value`.
typedef struct Change {
  uint32_t latch;
  AigLiteral taken, value;
} Change;
VECTOR(ChangeVector, Change);

static void note_updates(Circuit *c, const CircuitEdge *edge, ChangeVector *changes) {
  const Words *w = c->words;
  const Transition *transition = &c->transitions->edges.data[edge->edge];
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = words_update(w, transition, i);
    uint32_t word = words_find(w, update->variable);
    if (word == NO_ID) continue;
    const AigLiteral *values = bitblast_term(&c->words->blaster, update->value);
    for (uint32_t k = 0; k < w->words.data[word].width; k++) {
      uint32_t bit = w->words.data[word].first_bit + k, latch = c->latch_of_bit.data[bit];
      if (latch == NO_ID) continue;
      AigLiteral value = circuit_literal(c, values[k]);
      if (value == c->value_of_bit.data[bit]) continue;
      ChangeVector_push(changes, (Change){.latch = latch, .taken = edge->taken, .value = value});
    }
  }
}

static void note_counter(const Circuit *c, const CircuitEdge *edge, LocationId to, ChangeVector *changes) {
  const CircuitThread *thread = circuit_thread(c, c->transitions->program->locations.data[to].thread);
  uint32_t place = c->place_of.data[to];
  assert(place < thread->locations.count); // an edge that can be taken leads to a place
  for (uint32_t k = 0; k < thread->latch_count; k++)
    ChangeVector_push(
        changes,
        (Change){.latch = thread->first_latch + k, .taken = edge->taken, .value = aig_constant(place >> k & 1)});
}

// The value of a latch's bit. The latch is its inverse if the bit is 1 in the initial state.
static AigLiteral value_now(const Circuit *c, const CircuitLatch *latch) {
  return latch->kind == LATCH_BIT ? c->value_of_bit.data[latch->of] : latch->now;
}

static bool is_inverted(const Circuit *c, const CircuitLatch *latch) {
  return value_now(c, latch) == aig_not(latch->now);
}

static int compare_words(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int by_latch(const void *a, const void *b) {
  const Change *x = a, *y = b;
  if (x->latch != y->latch) return compare_words(x->latch, y->latch);
  if (x->value != y->value) return compare_words(x->value, y->value);
  return compare_words(x->taken, y->taken);
}

// Sets `next` of a latch from its changes, which are sorted by value. Changes to the same value are joined.
static void finish_latch(Circuit *c, CircuitLatch *latch, const Change *changes, size_t count, U32Vector *operands) {
  AigLiteral changed = AIG_FALSE, becomes = AIG_FALSE;
  for (size_t i = 0, end; i < count; i = end) {
    U32Vector_clear(operands);
    for (end = i; end < count && changes[end].value == changes[i].value; end++)
      U32Vector_push(operands, changes[end].taken);
    AigLiteral when = aig_or_all(&c->aig, operands->data, operands->count);
    changed = aig_or(&c->aig, changed, when);
    becomes = aig_or(&c->aig, becomes, aig_and(&c->aig, when, changes[i].value));
  }
  AigLiteral stays = aig_and(&c->aig, aig_not(changed), value_now(c, latch));
  latch->next = aig_not_if(aig_or(&c->aig, becomes, stays), is_inverted(c, latch));
}

// The process has ended, or this step ends it.
static AigLiteral ended_after(Circuit *c, AigLiteral ended, U32Vector *operands) {
  U32Vector_clear(operands);
  U32Vector_push(operands, ended);
  for (size_t i = 0; i < c->edges.count; i++)
    if (c->edges.data[i].ends_process) U32Vector_push(operands, c->edges.data[i].taken);
  return aig_or_all(&c->aig, operands->data, operands->count);
}

void circuit_build_next(Circuit *c) {
  const Program *p = c->transitions->program;
  ChangeVector changes;
  ChangeVector_init(&changes, c->account);
  for (size_t i = 0; i < c->edges.count; i++) {
    const CircuitEdge *edge = &c->edges.data[i];
    EdgeId start;
    if (edge->taken == AIG_FALSE) continue;
    note_updates(c, edge, &changes);
    note_counter(c, edge, p->edges.data[edge->edge].to, &changes);
    for (ThreadMask births = transitions_births(c->transitions, edge->edge); births != 0; births &= births - 1)
      note_counter(c, edge, thread_beginning(p, first_thread(births), &start), &changes);
  }
  if (changes.count > 1) qsort(changes.data, changes.count, sizeof *changes.data, by_latch);
  U32Vector operands;
  U32Vector_init(&operands, c->account);
  size_t at = 0;
  for (uint32_t i = 0; i < c->latches.count; i++) {
    size_t end = at;
    while (end < changes.count && changes.data[end].latch == i) end++;
    if (c->latches.data[i].kind == LATCH_ENDED)
      c->latches.data[i].next = ended_after(c, c->latches.data[i].now, &operands);
    else if (c->latches.data[i].kind != LATCH_STARTED)
      finish_latch(c, &c->latches.data[i], changes.data + at, end - at, &operands);
    at = end;
  }
  U32Vector_free(&operands);
  ChangeVector_free(&changes);
}
