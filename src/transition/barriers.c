#include "transition/barriers.h"

#include "program/facts/facts.h"
#include "program/passes/rewrite.h"

enum { MOST_LOCKS = 64 };

// The lock that the step takes; 0: none, or not known.
static LockMask lock_of(const Barriers *barriers, const Step *step) {
  if (step->kind != STEP_LOCK || step->access.cells.count != 1) return 0;
  CellId cell = cell_set_cells(barriers->program, step->access.cells)[0];
  for (size_t i = 0; i < barriers->cells.count; i++)
    if (barriers->cells.data[i] == cell) return (LockMask)1 << i;
  return 0;
}

static void find_held(Barriers *barriers) {
  LockFacts facts;
  lock_facts(barriers->program, &facts, barriers->account);
  for (size_t i = 0; i < facts.locks.count && i < MOST_LOCKS; i++)
    U32Vector_push(&barriers->cells, facts.locks.data[i]);
  for (LocationId at = 0; at < barriers->program->locations.count; at++)
    for (size_t i = 0; i < barriers->cells.count; i++)
      if (bitset_get(&facts.held[at], i)) barriers->held[at] |= (LockMask)1 << i;
  lock_facts_free(&facts);
}

static void find_taken(Barriers *barriers) {
  const Program *p = barriers->program;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    uint32_t count;
    const Step *steps = edge_steps(p, e, &count);
    for (uint32_t i = 0; i < count; i++) barriers->taken[e] |= lock_of(barriers, &steps[i]);
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (EdgeId e = (EdgeId)p->edges.count; e-- > 0;) {
      const Edge *edge = &p->edges.data[e];
      LockMask more = (barriers->taken[e] | barriers->takeable[edge->to]) & ~barriers->takeable[edge->from];
      barriers->takeable[edge->from] |= more;
      grown |= more != 0;
    }
  }
}

void barriers_init(Barriers *barriers, const Program *program, Account *account) {
  *barriers = (Barriers){.program = program, .account = account};
  U32Vector_init(&barriers->cells, account);
  barriers->held = memory_allocate_zeroed(account, program->locations.count * sizeof(LockMask));
  barriers->takeable = memory_allocate_zeroed(account, program->locations.count * sizeof(LockMask));
  barriers->taken = memory_allocate_zeroed(account, program->edges.count * sizeof(LockMask));
  find_held(barriers);
  assert(barriers->cells.count <= MOST_LOCKS);
  find_taken(barriers);
}

void barriers_free(Barriers *barriers) {
  const Program *p = barriers->program;
  memory_free(barriers->account, barriers->taken, p->edges.count * sizeof(LockMask));
  memory_free(barriers->account, barriers->takeable, p->locations.count * sizeof(LockMask));
  memory_free(barriers->account, barriers->held, p->locations.count * sizeof(LockMask));
  U32Vector_free(&barriers->cells);
}
