// Future accesses: the shared cells that a thread may still read or write from a location on. Computed once per
// strongly connected component of the automata; locations whose futures are the same share their words.
#include "program/facts/facts.h"
#include "program/passes/rewrite.h"

typedef struct Frame {
  LocationId location;
  uint32_t next;
} Frame;
VECTOR(FrameVector, Frame);

// Tarjan's algorithm; components come out with their successors before them.
typedef struct Components {
  const Program *program;
  uint32_t *index, *low, *component; // per location; NO_ID: not yet
  U32Vector open;                    // locations of unfinished components
  U32Vector members;                 // locations by component
  U32Vector starts;                  // per component: start in `members`; one more at the end
  FrameVector stack;
  uint32_t next;
} Components;

static void visit(Components *c, LocationId location) {
  c->index[location] = c->low[location] = c->next++;
  U32Vector_push(&c->open, location);
  FrameVector_push(&c->stack, (Frame){location, 0});
}

static void close_component(Components *c, LocationId root) {
  LocationId member;
  do {
    member = U32Vector_pop(&c->open);
    c->component[member] = (uint32_t)c->starts.count - 1;
    U32Vector_push(&c->members, member);
  } while (member != root);
  U32Vector_push(&c->starts, (uint32_t)c->members.count);
}

static void search(Components *c, LocationId entry) {
  const Program *p = c->program;
  visit(c, entry);
  while (c->stack.count) {
    Frame *top = FrameVector_last(&c->stack);
    const Location *location = &p->locations.data[top->location];
    if (top->next < location->out_count) {
      LocationId to = p->edges.data[p->out_edges.data[location->first_out + top->next++]].to;
      if (c->index[to] == NO_ID)
        visit(c, to);
      else if (c->component[to] == NO_ID && c->index[to] < c->low[top->location])
        c->low[top->location] = c->index[to];
      continue;
    }
    LocationId done = FrameVector_pop(&c->stack).location;
    if (c->stack.count) {
      LocationId before = FrameVector_last(&c->stack)->location;
      if (c->low[done] < c->low[before]) c->low[before] = c->low[done];
    }
    if (c->low[done] == c->index[done]) close_component(c, done);
  }
}

static void find_components(Components *c, const Program *p, Account *account) {
  size_t bytes = p->locations.count * sizeof(uint32_t);
  *c = (Components){.program = p};
  c->index = memory_allocate(account, bytes);
  c->low = memory_allocate(account, bytes);
  c->component = memory_allocate(account, bytes);
  if (bytes) {
    memset(c->index, 0xff, bytes);
    memset(c->component, 0xff, bytes);
  }
  U32Vector_init(&c->open, account);
  U32Vector_init(&c->members, account);
  U32Vector_init(&c->starts, account);
  FrameVector_init(&c->stack, account);
  U32Vector_push(&c->starts, 0);
  for (size_t l = 0; l < p->locations.count; l++)
    if (c->index[l] == NO_ID) search(c, (LocationId)l);
  FrameVector_free(&c->stack);
  U32Vector_free(&c->open);
}

static void free_components(Components *c, Account *account) {
  size_t bytes = c->program->locations.count * sizeof(uint32_t);
  memory_free(account, c->index, bytes);
  memory_free(account, c->low, bytes);
  memory_free(account, c->component, bytes);
  U32Vector_free(&c->members);
  U32Vector_free(&c->starts);
}

static void number_cells(const Program *p, FutureAccesses *future, Account *account) {
  future->dense = memory_allocate(account, p->cells.count * sizeof *future->dense);
  future->cell_count = p->cells.count;
  U32Vector_init(&future->cells, account);
  for (size_t c = 0; c < p->cells.count; c++) {
    future->dense[c] = p->cells.data[c].shared ? (uint32_t)future->cells.count : NO_ID;
    if (p->cells.data[c].shared) U32Vector_push(&future->cells, (CellId)c);
  }
}

static void add_access(const Program *p, const FutureAccesses *future, const Access *access, Bitset *reads,
                       Bitset *writes) {
  const uint32_t *cells = cell_set_cells(p, access->cells);
  for (uint32_t i = 0; i < access->cells.count; i++) {
    uint32_t dense = future->dense[cells[i]];
    if (dense == NO_ID) continue;
    if (access->reads) bitset_set(reads, dense);
    if (access->writes) bitset_set(writes, dense);
  }
}

// What the edges of one component's locations do, and what comes after them.
static void sum_component(const Components *c, const FutureAccesses *future, uint32_t component, Bitset *reads,
                          Bitset *writes) {
  const Program *p = c->program;
  bitset_clear_all(reads);
  bitset_clear_all(writes);
  uint32_t last = NO_ID; // many edges lead to the same component
  for (uint32_t m = c->starts.data[component]; m < c->starts.data[component + 1]; m++) {
    const Location *location = &p->locations.data[c->members.data[m]];
    for (uint32_t i = 0; i < location->out_count; i++) {
      const Edge *edge = &p->edges.data[p->out_edges.data[location->first_out + i]];
      for (uint32_t s = 0; s < edge->step_count; s++) {
        const Access *access = &p->steps.data[edge->first_step + s].access;
        if (access->address != TERM_NONE) add_access(p, future, access, reads, writes);
      }
      uint32_t next = c->component[edge->to];
      if (next == component || next == last) continue;
      bitset_union(reads, &future->reads[edge->to]);
      bitset_union(writes, &future->writes[edge->to]);
      last = next;
    }
  }
}

// `sum` as a set that lives on: that of a successor if it is the same, else a new one.
static Bitset settle(FutureAccesses *future, const Bitset *sum, const Bitset *candidate) {
  if (candidate && bitset_equal(sum, candidate)) return *candidate;
  Bitset own;
  bitset_init(&own, sum->bits, future->account);
  bitset_copy(&own, sum);
  BitsetVector_push(&future->owned, own);
  return own;
}

void future_accesses(const Program *p, FutureAccesses *future, Account *account) {
  *future = (FutureAccesses){.direction = FACT_MAY_ADD, .count = p->locations.count, .account = account};
  number_cells(p, future, account);
  BitsetVector_init(&future->owned, account);
  future->reads = memory_allocate_zeroed(account, future->count * sizeof *future->reads);
  future->writes = memory_allocate_zeroed(account, future->count * sizeof *future->writes);
  Components components;
  find_components(&components, p, account);
  Bitset reads, writes;
  bitset_init(&reads, future->cells.count, account);
  bitset_init(&writes, future->cells.count, account);
  for (uint32_t c = 0; c + 1 < components.starts.count; c++) {
    sum_component(&components, future, c, &reads, &writes);
    LocationId successor = NO_ID; // in another component, whose sets are there already
    for (uint32_t m = components.starts.data[c]; m < components.starts.data[c + 1] && successor == NO_ID; m++) {
      const Location *location = &p->locations.data[components.members.data[m]];
      for (uint32_t i = 0; i < location->out_count; i++) {
        LocationId to = p->edges.data[p->out_edges.data[location->first_out + i]].to;
        if (components.component[to] != c) successor = to;
      }
    }
    Bitset all_reads = settle(future, &reads, successor != NO_ID ? &future->reads[successor] : NULL);
    Bitset all_writes = settle(future, &writes, successor != NO_ID ? &future->writes[successor] : NULL);
    for (uint32_t m = components.starts.data[c]; m < components.starts.data[c + 1]; m++) {
      future->reads[components.members.data[m]] = all_reads;
      future->writes[components.members.data[m]] = all_writes;
    }
  }
  bitset_free(&reads);
  bitset_free(&writes);
  free_components(&components, account);
}

void future_accesses_free(FutureAccesses *future) {
  for (size_t i = 0; i < future->owned.count; i++) bitset_free(&future->owned.data[i]);
  BitsetVector_free(&future->owned);
  U32Vector_free(&future->cells);
  memory_free(future->account, future->dense, future->cell_count * sizeof *future->dense);
  memory_free(future->account, future->reads, future->count * sizeof *future->reads);
  memory_free(future->account, future->writes, future->count * sizeof *future->writes);
}
