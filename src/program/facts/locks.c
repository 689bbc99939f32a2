// Lock facts: the locks that a thread certainly holds, and those that it certainly acquires before it takes a step that
// another thread can notice. Both sets may drop locks; they never contain too many.
#include "program/facts/facts.h"
#include "program/passes/rewrite.h"

typedef struct LockAnalysis {
  const Program *program;
  LockFacts *facts;
  uint32_t *dense; // cell -> lock or NO_ID
  U32Vector order; // reverse postorder
  bool *shared;    // per step
  Account *account;
} LockAnalysis;

// The only lock that the step can acquire or release, or NO_ID.
static uint32_t single_lock(const LockAnalysis *analysis, const Step *step) {
  if (step->access.address == TERM_NONE || step->access.cells.count != 1) return NO_ID;
  return analysis->dense[cell_set_cells(analysis->program, step->access.cells)[0]];
}

// --- which cells are locks ---

static void number_candidates(LockAnalysis *analysis, const bool *refused) {
  const Program *p = analysis->program;
  U32Vector_clear(&analysis->facts->locks);
  for (size_t c = 0; c < p->cells.count; c++) analysis->dense[c] = NO_ID;
  for (size_t s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    if ((step->kind != STEP_LOCK && step->kind != STEP_UNLOCK) || step->access.cells.count != 1) continue;
    CellId cell = cell_set_cells(p, step->access.cells)[0];
    if (refused[cell] || analysis->dense[cell] != NO_ID) continue;
    analysis->dense[cell] = (uint32_t)analysis->facts->locks.count;
    U32Vector_push(&analysis->facts->locks, cell);
  }
}

// The locations of main that it reaches only before its first CREATE step.
static bool *before_creation(const Program *p, Account *account) {
  bool *early = memory_allocate_zeroed(account, p->locations.count * sizeof *early);
  bool *late = memory_allocate_zeroed(account, p->locations.count * sizeof *late);
  U32Vector stack;
  U32Vector_init(&stack, account);
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    if (p->locations.data[edge->from].thread != 0) continue;
    bool creates = false;
    uint32_t step_count;
    const Step *steps = edge_steps(p, (EdgeId)e, &step_count);
    for (uint32_t i = 0; i < step_count; i++) creates |= steps[i].kind == STEP_CREATE;
    // An edge of several steps that creates a thread counts as late as a whole.
    for (unsigned end = 0; creates && end < 2; end++) {
      LocationId location = end == 0 && edge->step_count > 1 ? edge->from : edge->to;
      if (!late[location]) U32Vector_push(&stack, location);
      late[location] = true;
    }
  }
  while (stack.count) {
    uint32_t count;
    const EdgeId *edges = location_edges(p, U32Vector_pop(&stack), &count);
    for (uint32_t i = 0; i < count; i++) {
      LocationId to = p->edges.data[edges[i]].to;
      if (!late[to]) U32Vector_push(&stack, to);
      late[to] = true;
    }
  }
  for (size_t l = 0; l < p->locations.count; l++) early[l] = p->locations.data[l].thread == 0 && !late[l];
  U32Vector_free(&stack);
  memory_free(account, late, p->locations.count * sizeof *late);
  return early;
}

// --- held ---

static void hold_step(const LockAnalysis *analysis, const Step *step, Bitset *held) {
  const Program *p = analysis->program;
  if (step->access.address == TERM_NONE || !step->access.writes) return;
  if (step->kind == STEP_LOCK || step->kind == STEP_TRYLOCK) {
    uint32_t lock = single_lock(analysis, step);
    if (step->kind == STEP_LOCK && lock != NO_ID) bitset_set(held, lock);
    return; // neither kind takes a lock from its owner
  }
  const uint32_t *cells = cell_set_cells(p, step->access.cells);
  for (uint32_t i = 0; i < step->access.cells.count; i++)
    if (analysis->dense[cells[i]] != NO_ID) bitset_reset(held, analysis->dense[cells[i]]);
}

static void fill(Bitset *set) {
  for (size_t i = 0; i < set->bits; i++) bitset_set(set, i);
}

static bool shrink(Bitset *set, const Bitset *by) {
  assert(set->bits == by->bits);
  if (bitset_subset(set, by)) return false;
  bitset_intersect(set, by);
  return true;
}

static void find_held(LockAnalysis *analysis) {
  const Program *p = analysis->program;
  LockFacts *facts = analysis->facts;
  for (size_t l = 0; l < p->locations.count; l++) fill(&facts->held[l]);
  for (size_t t = 0; t < p->threads.count; t++)
    if (p->threads.data[t].entry != NO_ID) bitset_clear_all(&facts->held[p->threads.data[t].entry]);
  Bitset work;
  bitset_init(&work, facts->locks.count, analysis->account);
  bool again = facts->locks.count > 0;
  while (again) {
    again = false;
    for (size_t i = 0; i < analysis->order.count; i++) {
      uint32_t count;
      const EdgeId *edges = location_edges(p, analysis->order.data[i], &count);
      for (uint32_t o = 0; o < count; o++) {
        const Edge *edge = &p->edges.data[edges[o]];
        bitset_copy(&work, &facts->held[edge->from]);
        uint32_t step_count;
        const Step *steps = edge_steps(p, edges[o], &step_count);
        for (uint32_t s = 0; s < step_count; s++) hold_step(analysis, &steps[s], &work);
        again |= shrink(&facts->held[edge->to], &work);
      }
    }
  }
  bitset_free(&work);
}

// Refuses the locks that a step may take from an owner, by a store that is no UNLOCK or an UNLOCK while it is not held.
static void refuse_step(const LockAnalysis *analysis, const Step *step, const Bitset *held, bool early, bool *refused) {
  const Program *p = analysis->program;
  if (step->access.address == TERM_NONE || !step->access.writes) return;
  if (step->kind == STEP_LOCK || step->kind == STEP_TRYLOCK) return;
  const uint32_t *cells = cell_set_cells(p, step->access.cells);
  bool unlock = step->kind == STEP_UNLOCK && step->access.cells.count == 1;
  for (uint32_t i = 0; i < step->access.cells.count; i++) {
    uint32_t lock = analysis->dense[cells[i]];
    if (lock == NO_ID || early) continue;
    if (!unlock || !bitset_get(held, lock)) refused[cells[i]] = true;
  }
}

static void refuse_locks(LockAnalysis *analysis, bool *refused) {
  const Program *p = analysis->program;
  bool *early = before_creation(p, analysis->account);
  Bitset work;
  bitset_init(&work, analysis->facts->locks.count, analysis->account);
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    bitset_copy(&work, &analysis->facts->held[edge->from]);
    uint32_t step_count;
    const Step *steps = edge_steps(p, (EdgeId)e, &step_count);
    for (uint32_t s = 0; s < step_count; s++) {
      refuse_step(analysis, &steps[s], &work, early[edge->from], refused);
      hold_step(analysis, &steps[s], &work);
    }
  }
  bitset_free(&work);
  memory_free(analysis->account, early, p->locations.count * sizeof *early);
}

// --- acquired before ---

// May another thread notice the step, apart from what it does to locks?
static bool is_noticed(const LockAnalysis *analysis, StepId id) {
  const Program *p = analysis->program;
  const Step *step = &p->steps.data[id];
  if (step->kind == STEP_ERROR || step->kind == STEP_HALT || step->kind == STEP_CUT || step->kind == STEP_FREE ||
      step->kind == STEP_CREATE)
    return true;
  if (step->access.address == TERM_NONE || !analysis->shared[id]) return false;
  const uint32_t *cells = cell_set_cells(p, step->access.cells);
  for (uint32_t i = 0; i < step->access.cells.count; i++)
    if (p->cells.data[cells[i]].shared && analysis->dense[cells[i]] == NO_ID) return true;
  return false;
}

static void find_acquired(LockAnalysis *analysis) {
  const Program *p = analysis->program;
  LockFacts *facts = analysis->facts;
  for (size_t l = 0; l < p->locations.count; l++) fill(&facts->acquired_before[l]);
  Bitset work;
  bitset_init(&work, facts->locks.count, analysis->account);
  bool again = facts->locks.count > 0;
  while (again) {
    again = false;
    for (size_t i = analysis->order.count; i-- > 0;) {
      uint32_t count;
      const EdgeId *edges = location_edges(p, analysis->order.data[i], &count);
      for (uint32_t o = 0; o < count; o++) {
        const Edge *edge = &p->edges.data[edges[o]];
        bitset_copy(&work, &facts->acquired_before[edge->to]);
        for (uint32_t s = edge->step_count; s-- > 0;) {
          StepId id = edge->first_step + s;
          if (is_noticed(analysis, id)) bitset_clear_all(&work);
          uint32_t lock = p->steps.data[id].kind == STEP_LOCK ? single_lock(analysis, &p->steps.data[id]) : NO_ID;
          if (lock != NO_ID) bitset_set(&work, lock);
        }
        again |= shrink(&facts->acquired_before[edge->from], &work);
      }
    }
  }
  bitset_free(&work);
}

static void allocate_sets(LockFacts *facts) {
  for (size_t l = 0; l < facts->count; l++) {
    bitset_init(&facts->held[l], facts->locks.count, facts->account);
    bitset_init(&facts->acquired_before[l], facts->locks.count, facts->account);
  }
}

static void free_sets(LockFacts *facts) {
  for (size_t l = 0; l < facts->count; l++) {
    bitset_free(&facts->held[l]);
    bitset_free(&facts->acquired_before[l]);
  }
}

void lock_facts(const Program *p, LockFacts *facts, Account *account) {
  *facts = (LockFacts){.direction = FACT_MAY_DROP, .count = p->locations.count, .account = account};
  U32Vector_init(&facts->locks, account);
  facts->held = memory_allocate_zeroed(account, facts->count * sizeof *facts->held);
  facts->acquired_before = memory_allocate_zeroed(account, facts->count * sizeof *facts->acquired_before);
  LockAnalysis analysis = {.program = p, .facts = facts, .account = account};
  analysis.dense = memory_allocate(account, p->cells.count * sizeof *analysis.dense);
  analysis.shared = program_shared_steps(p, account);
  bool *refused = memory_allocate_zeroed(account, p->cells.count * sizeof *refused);
  U32Vector_init(&analysis.order, account);
  program_reverse_postorder(p, &analysis.order, NULL);
  for (unsigned round = 0; round < 2;
       round++) { // the second round leaves the refused locks out; locks are independent of each other
    if (round > 0) free_sets(facts);
    number_candidates(&analysis, refused);
    allocate_sets(facts);
    find_held(&analysis);
    if (round == 0) refuse_locks(&analysis, refused);
  }
  assert(facts->locks.count <= p->cells.count);
  find_acquired(&analysis);
  U32Vector_free(&analysis.order);
  memory_free(account, refused, p->cells.count * sizeof *refused);
  memory_free(account, analysis.shared, p->steps.count * sizeof *analysis.shared);
  memory_free(account, analysis.dense, p->cells.count * sizeof *analysis.dense);
}

void lock_facts_free(LockFacts *facts) {
  free_sets(facts);
  U32Vector_free(&facts->locks);
  memory_free(facts->account, facts->held, facts->count * sizeof *facts->held);
  memory_free(facts->account, facts->acquired_before, facts->count * sizeof *facts->acquired_before);
}
