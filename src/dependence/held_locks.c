#include "dependence/held_locks.h"

#include "program/facts/facts.h"
#include "program/passes/rewrite.h"

enum { MOST_LOCKS = 64 };

// The lock that the step takes; 0: none, or not known.
static LockMask lock_of(const HeldLocks *locks, const Step *step) {
  if (step->kind != STEP_LOCK || step->access.cells.count != 1) return 0;
  CellId cell = cell_set_cells(locks->program, step->access.cells)[0];
  assert(locks->cells.count <= MOST_LOCKS);
  for (size_t i = 0; i < locks->cells.count; i++)
    if (locks->cells.data[i] == cell) return (LockMask)1 << i;
  return 0;
}

static void find_held(HeldLocks *locks) {
  LockFacts facts;
  lock_facts(locks->program, &facts, locks->account);
  assert(facts.direction == FACT_MAY_DROP && facts.count == locks->program->locations.count);
  for (size_t i = 0; i < facts.locks.count && i < MOST_LOCKS; i++) U32Vector_push(&locks->cells, facts.locks.data[i]);
  for (LocationId at = 0; at < locks->program->locations.count; at++)
    for (size_t i = 0; i < locks->cells.count; i++)
      if (bitset_get(&facts.held[at], i)) locks->held[at] |= (LockMask)1 << i;
  lock_facts_free(&facts);
}

static void find_taken(HeldLocks *locks) {
  const Program *p = locks->program;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    uint32_t count;
    const Step *steps = edge_steps(p, e, &count);
    for (uint32_t i = 0; i < count; i++) locks->taken[e] |= lock_of(locks, &steps[i]);
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (EdgeId e = (EdgeId)p->edges.count; e-- > 0;) {
      const Edge *edge = &p->edges.data[e];
      LockMask more = (locks->taken[e] | locks->takeable[edge->to]) & ~locks->takeable[edge->from];
      locks->takeable[edge->from] |= more;
      grown |= more != 0;
    }
  }
}

void held_locks_init(HeldLocks *locks, const Program *program, Account *account) {
  *locks = (HeldLocks){.program = program, .account = account};
  U32Vector_init(&locks->cells, account);
  locks->held = memory_allocate_zeroed(account, program->locations.count * sizeof(LockMask));
  locks->takeable = memory_allocate_zeroed(account, program->locations.count * sizeof(LockMask));
  locks->taken = memory_allocate_zeroed(account, program->edges.count * sizeof(LockMask));
  find_held(locks);
  assert(locks->cells.count <= MOST_LOCKS);
  find_taken(locks);
}

void held_locks_free(HeldLocks *locks) {
  const Program *p = locks->program;
  memory_free(locks->account, locks->taken, p->edges.count * sizeof(LockMask));
  memory_free(locks->account, locks->takeable, p->locations.count * sizeof(LockMask));
  memory_free(locks->account, locks->held, p->locations.count * sizeof(LockMask));
  U32Vector_free(&locks->cells);
}
