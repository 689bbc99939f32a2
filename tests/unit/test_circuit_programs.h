// Circuits of small programs for tests, and driving them by hand.
#ifndef HEDDLE_TEST_CIRCUIT_PROGRAMS_H
#define HEDDLE_TEST_CIRCUIT_PROGRAMS_H

#include "circuit/circuit_engine.h"
#include "circuit/methods/method.h"
#include "test_replay_support.h"

enum { MAIN = 0, FIRST = 1, SECOND = 2 };

// One state of a circuit and the values of everything in it.
typedef struct Drive {
  const Circuit *c;
  ByteVector latches; // values
  uint64_t *inputs, *nodes;
} Drive;

static inline void drive_init(Drive *d, const Circuit *c) {
  *d = (Drive){.c = c};
  ByteVector_init(&d->latches, NULL);
  ByteVector_resize(&d->latches, c->latches.count + 1);
  d->inputs = memory_allocate_zeroed(NULL, (c->aig.inputs.count + 1) * sizeof(uint64_t));
  d->nodes = memory_allocate_zeroed(NULL, aig_node_count(&c->aig) * sizeof(uint64_t));
}

static inline void drive_free(Drive *d) {
  memory_free(NULL, d->nodes, aig_node_count(&d->c->aig) * sizeof(uint64_t));
  memory_free(NULL, d->inputs, (d->c->aig.inputs.count + 1) * sizeof(uint64_t));
  ByteVector_free(&d->latches);
}

static inline bool drive_holds(const Drive *d, AigLiteral literal) { return aig_simulated(d->nodes, literal) & 1; }

// Evaluates the state with this thread selected and all other inputs 0.
static inline void drive_look(Drive *d, ThreadId select) {
  const Circuit *c = d->c;
  for (size_t i = 0; i < c->aig.inputs.count; i++) d->inputs[i] = 0;
  for (size_t i = 0; i < c->latches.count; i++)
    d->inputs[aig_input_index(&c->aig, aig_node(c->latches.data[i].now))] = d->latches.data[i];
  for (size_t i = 0; i < c->select.count; i++)
    d->inputs[aig_input_index(&c->aig, aig_node(c->select.data[i]))] = select >> i & 1;
  aig_simulate(&c->aig, d->inputs, d->nodes);
}

// The thread takes its next step. False: the circuit does not let it.
static inline bool drive_step(Drive *d, ThreadId thread) {
  drive_look(d, thread);
  if (!drive_holds(d, circuit_thread(d->c, thread)->execute)) return false;
  for (size_t i = 0; i < d->c->latches.count; i++) d->latches.data[i] = drive_holds(d, d->c->latches.data[i].next);
  return true;
}

// The threads that the scheduler lets run in this state, as a mask.
static inline ThreadMask drive_runnable(Drive *d) {
  ThreadMask runnable = 0;
  for (ThreadId t = 0; t < d->c->threads.count; t++) {
    drive_look(d, t);
    if (drive_holds(d, circuit_thread(d->c, t)->execute)) runnable |= (ThreadMask)1 << t;
  }
  return runnable;
}

#endif
