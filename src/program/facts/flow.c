#include "program/facts/flow.h"

#include "program/passes/rewrite.h"

// --- lists ---

typedef struct Pair {
  uint32_t list, item;
} Pair;
VECTOR(PairVector, Pair);

// Pairs in any order to lists; items keep their order.
static void lists_build(Lists *lists, size_t count, const PairVector *pairs, Account *account) {
  U32Vector_init(&lists->start, account);
  U32Vector_init(&lists->items, account);
  U32Vector_resize(&lists->start, count + 2);
  U32Vector_resize(&lists->items, pairs->count);
  uint32_t *at = lists->start.data + 1; // one place ahead while filling
  for (size_t i = 0; i < pairs->count; i++) at[pairs->data[i].list + 1]++;
  for (size_t i = 0; i < count; i++) at[i + 1] += at[i];
  for (size_t i = 0; i < pairs->count; i++) lists->items.data[at[pairs->data[i].list]++] = pairs->data[i].item;
  lists->start.count = count + 1;
  assert(lists->start.data[count] == pairs->count);
}

static void lists_free(Lists *lists) {
  U32Vector_free(&lists->start);
  U32Vector_free(&lists->items);
}

// --- definitions ---

static void define(Flow *flow, PairVector *pairs, VariableId variable, StepId step, uint32_t assignment) {
  assert(variable < flow->program->variables.count);
  PairVector_push(pairs, (Pair){variable, (uint32_t)flow->definitions.count});
  DefinitionVector_push(&flow->definitions, (Definition){step, assignment});
}

static void index_variables(Flow *flow) {
  const Program *p = flow->program;
  PairVector pairs = {.account = flow->account};
  for (StepId s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    for (uint32_t i = 0; i < step->assignment_count; i++) define(flow, &pairs, step->assignments[i].variable, s, i);
    if (step->access.address != TERM_NONE && step->access.reads) define(flow, &pairs, step->access.into, s, FLOW_LOAD);
  }
  lists_build(&flow->of_variable, p->variables.count, &pairs, flow->account);
  PairVector_free(&pairs);
}

// --- sets ---

static void number_sets(Flow *flow) {
  const Program *p = flow->program;
  Map known;
  map_init(&known, flow->account);
  for (StepId s = 0; s < p->steps.count; s++) {
    const Access *access = &p->steps.data[s].access;
    flow->set_of[s] = NO_ID;
    if (access->address == TERM_NONE || access->cells.count == 0) continue;
    uint64_t key = cell_set_key(access->cells), number;
    if (!map_get(&known, key, &number)) {
      number = flow->sets.count;
      map_put(&known, key, number);
      CellSetVector_push(&flow->sets, access->cells);
    }
    flow->set_of[s] = (uint32_t)number;
  }
  map_free(&known);
}

static void index_sets(Flow *flow) {
  const Program *p = flow->program;
  PairVector writers = {.account = flow->account}, readers = writers, members = writers;
  for (StepId s = 0; s < p->steps.count; s++) {
    if (flow->set_of[s] == NO_ID) continue;
    if (p->steps.data[s].access.writes) PairVector_push(&writers, (Pair){flow->set_of[s], s});
    if (p->steps.data[s].access.reads) PairVector_push(&readers, (Pair){flow->set_of[s], s});
  }
  for (uint32_t i = 0; i < flow->sets.count; i++) {
    const uint32_t *cells = cell_set_cells(p, flow->sets.data[i]);
    for (uint32_t k = 0; k < flow->sets.data[i].count; k++) PairVector_push(&members, (Pair){cells[k], i});
  }
  lists_build(&flow->writers, flow->sets.count, &writers, flow->account);
  lists_build(&flow->readers, flow->sets.count, &readers, flow->account);
  lists_build(&flow->of_cell, p->cells.count, &members, flow->account);
  PairVector_free(&members);
  PairVector_free(&readers);
  PairVector_free(&writers);
}

void flow_init(Flow *flow, const Program *p, Account *account) {
  *flow = (Flow){.program = p, .account = account};
  DefinitionVector_init(&flow->definitions, account);
  CellSetVector_init(&flow->sets, account);
  flow->set_of = memory_allocate(account, p->steps.count * sizeof(uint32_t));
  index_variables(flow);
  number_sets(flow);
  index_sets(flow);
}

void flow_free(Flow *flow) {
  lists_free(&flow->of_cell);
  lists_free(&flow->readers);
  lists_free(&flow->writers);
  lists_free(&flow->of_variable);
  memory_free(flow->account, flow->set_of, flow->program->steps.count * sizeof(uint32_t));
  CellSetVector_free(&flow->sets);
  DefinitionVector_free(&flow->definitions);
}

bool access_is_whole(const Program *p, const Access *access) {
  const uint32_t *cells = cell_set_cells(p, access->cells);
  for (uint32_t i = 0; i < access->cells.count; i++)
    if (p->cells.data[cells[i]].bytes != access->bytes) return false;
  return true;
}
