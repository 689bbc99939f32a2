// Transitions: an edge's guard and updates, compared with its steps executed one by one (program.h) from random
// states that respect only what a thread knows by itself.
#include "program/passes/rewrite.h"
#include "test_replay_support.h"
#include "transition/transition.h"

enum { MAIN = 0, FIRST = 1 };

typedef struct Machine {
  Program *p;
  Transitions t;
  Map state;               // state variable -> value
  Map after;               // of the steps executed one by one
  Map fresh;               // fresh variable -> value
  U32Vector reads, writes; // cells (and alive flags) that the steps really touched
  LocationId at[BUILD_THREADS];
  uint64_t seed;
  U64Vector values; // small numbers and addresses: what random values are taken from
  Account *account;
} Machine;

static uint64_t random_number(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

static uint64_t random_value(Machine *m, unsigned width) {
  uint64_t value = m->values.data[random_number(&m->seed) % m->values.count];
  return value & (uint64_t)bits_mask(width);
}

static Bits value_of(void *context, Term variable) {
  uint64_t value = 0;
  const Map *map = context;
  assert_true(map_get(map, variable, &value));
  return value;
}

static uint64_t value_in(const Machine *m, const Map *map, Term term) {
  return (uint64_t)term_evaluate(m->p->terms, term, &(TermValuation){.value_of = value_of, .context = (void *)map});
}

// --- steps, one by one ---

// The cells from the address on that make up the access, if it may go there. Their number; 0: it does not fit.
static uint32_t find_cells(const Program *p, const Access *access, uint64_t address, CellId *first) {
  *first = program_cell_at(p, address);
  if (*first == NO_ID) return 0;
  bool foreseen = false;
  for (uint32_t i = 0; i < access->cells.count; i++) foreseen |= p->cell_lists.data[access->cells.first + i] == *first;
  ObjectId object = p->cells.data[*first].object;
  if (!foreseen || (access->writes && p->objects.data[object].storage == STORAGE_CONSTANT)) return 0;
  uint32_t bytes = 0, count = 0;
  while (bytes < access->bytes && *first + count < p->cells.count) {
    const Cell *cell = &p->cells.data[*first + count];
    if (cell->object != object || cell->address != address + bytes) return 0;
    bytes += cell->bytes;
    count++;
  }
  return bytes == access->bytes ? count : 0;
}

static bool touch(Machine *m, const Step *step, CellId *first, uint32_t *count) {
  const Access *access = &step->access;
  const Program *p = m->p;
  *count = find_cells(p, access, value_in(m, &m->after, access->address), first);
  if (*count == 0) return false;
  ObjectId object = p->cells.data[*first].object;
  for (uint32_t k = 0; k < *count; k++) {
    if (access->reads) U32Vector_push(&m->reads, *first + k);
    if (access->writes) U32Vector_push(&m->writes, *first + k);
  }
  Term alive = m->t.alive[object];
  if (alive == TERM_NONE) return true;
  U32Vector_push(&m->reads, (uint32_t)p->cells.count + object);
  return value_in(m, &m->after, alive);
}

static bool free_pointer(Machine *m, const Step *step) {
  const Program *p = m->p;
  uint64_t pointer = value_in(m, &m->after, step->operand);
  if (pointer == 0) return true;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    if (p->objects.data[o].address != pointer || m->t.alive[o] == TERM_NONE) continue;
    if (!value_in(m, &m->after, m->t.alive[o])) return false;
    map_put(&m->after, m->t.alive[o], 0);
    U32Vector_push(&m->writes, (uint32_t)p->cells.count + o);
    return true;
  }
  return false;
}

static uint64_t next_fresh(Machine *m, uint32_t *next) { return value_in(m, &m->fresh, m->t.fresh.data[(*next)++]); }

static void store(Machine *m, CellId first, uint32_t count, uint64_t value) {
  for (uint32_t k = 0; k < count; k++) {
    const Cell *cell = &m->p->cells.data[first + k];
    map_put(&m->after, cell->term, value & (uint64_t)bits_mask(8 * cell->bytes));
    value = cell->bytes < 8 ? value >> 8 * cell->bytes : 0;
  }
}

// What the first step of a created thread loads: that it runs.
static void begin_thread(Machine *m, ThreadId thread) {
  EdgeId start;
  LocationId beginning = thread_beginning(m->p, thread, &start), entry = m->p->threads.data[thread].entry;
  if (start == NO_ID) {
    assert_int_equal(beginning, entry);
    return;
  }
  const Edge *edge = &m->p->edges.data[start];
  const Step *step = &m->p->steps.data[edge->first_step];
  assert_int_equal(edge->from, entry);
  assert_int_equal(edge->to, beginning);
  assert_int_equal(step->kind, STEP_START);
  if (step->access.into != NO_ID) map_put(&m->after, variable_term(m->p, step->access.into), THREAD_RUNNING);
}

// False: the step cannot be taken; `waits`: because it waits.
static bool execute(Machine *m, const Step *step, uint32_t *next, bool *waits) {
  const Program *p = m->p;
  const Access *access = &step->access;
  CellId first = NO_ID;
  uint32_t count = 0;
  bool start = step->kind == STEP_START; // born threads only
  if (start && access->into != NO_ID) map_put(&m->after, variable_term(p, access->into), THREAD_RUNNING);
  if (access->address != TERM_NONE && !start) {
    if (!touch(m, step, &first, &count)) return false;
    uint64_t loaded = 0;
    for (uint32_t k = count; access->reads && k-- > 0;) {
      const Cell *cell = &p->cells.data[first + k];
      loaded = (cell->bytes < 8 ? loaded << 8 * cell->bytes : 0) | value_in(m, &m->after, cell->term);
    }
    if (access->reads) map_put(&m->after, variable_term(p, access->into), loaded);
  }
  if (!value_in(m, &m->after, step->guard)) {
    *waits = step->kind == STEP_LOCK || step->kind == STEP_WAIT;
    return false;
  }
  if (step->kind == STEP_DIVIDE && value_in(m, &m->after, step->operand) == 0) return false;
  if (step->kind == STEP_FREE && !free_pointer(m, step)) return false;
  if (step->kind == STEP_CREATE) begin_thread(m, step->target);
  if (step->kind == STEP_ALLOCATE && m->t.alive[step->target] != TERM_NONE) {
    map_put(&m->after, m->t.alive[step->target], 1);
    U32Vector_push(&m->writes, (uint32_t)p->cells.count + step->target);
  }
  uint64_t stored = 0, right[8];
  bool any = access->writes && access->stored == VALUE_INDETERMINATE;
  if (access->address != TERM_NONE && access->writes && !start)
    stored = any ? next_fresh(m, next) : value_in(m, &m->after, access->stored);
  assert_true(step->assignment_count <= 8);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    Term value = step->assignments[i].value;
    right[i] = value_is_fresh(value) ? next_fresh(m, next) : value_in(m, &m->after, value);
  }
  if (access->writes && !start) store(m, first, count, stored);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    map_put(&m->after, variable_term(p, step->assignments[i].variable), right[i]);
  return true;
}

// --- states ---

static void each_state_variable(Machine *m, void (*visit)(Machine *m, Term variable)) {
  for (VariableId v = 0; v < m->p->variables.count; v++) visit(m, variable_term(m->p, v));
  for (CellId c = 0; c < m->p->cells.count; c++) visit(m, m->p->cells.data[c].term);
  for (ObjectId o = 0; o < m->p->objects.count; o++)
    if (m->t.alive[o] != TERM_NONE) visit(m, m->t.alive[o]);
}

static void set_initial(Machine *m, Term variable) {
  Term initial = transitions_initial(&m->t, variable);
  bool any = initial == TERM_NONE;
  unsigned width = term_width(m->p->terms, variable);
  map_put(&m->state, variable, any ? random_value(m, width) : (uint64_t)term_constant_value(m->p->terms, initial));
}

static void copy_to_after(Machine *m, Term variable) {
  map_put(&m->after, variable, map_get_or(&m->state, variable, 0));
}

static void expect_same(Machine *m, Term variable) {
  uint64_t one_by_one = map_get_or(&m->after, variable, 0), composed = map_get_or(&m->state, variable, 0);
  if (one_by_one != composed)
    print_message("%s: %lu, not %lu\n", term_variable_name(m->p->terms, variable), composed, one_by_one);
  assert_int_equal(one_by_one, composed);
}

// Others may have done anything to what is shared. (Where a pointer was, there is a pointer, mostly.)
static void disturb(Machine *m) {
  for (CellId c = 0; c < m->p->cells.count; c++) {
    const Cell *cell = &m->p->cells.data[c];
    if (cell->shared) map_put(&m->state, cell->term, random_value(m, 8 * cell->bytes));
  }
}

// Is the cell in the set, and does the set say so in this very state?
static bool is_touched(const Machine *m, TouchSet set, uint32_t cell) {
  for (uint32_t i = 0; i < set.count; i++) {
    const Touch *touch = &m->t.touches.data[set.first + i];
    if (touch->cell == cell) return value_in(m, &m->state, touch->when);
  }
  return false;
}

static void check_accesses(const Machine *m, EdgeId edge) {
  const Transition *t = &m->t.edges.data[edge];
  const Action *a = &m->t.actions.data[m->p->edges.data[edge].from];
  for (size_t i = 0; i < m->reads.count; i++) {
    assert_true(is_touched(m, t->reads, m->reads.data[i]));
    assert_true(is_touched(m, a->reads, m->reads.data[i]));
    bool cell = m->reads.data[i] < m->p->cells.count;
    if (a->local && cell) assert_false(m->p->cells.data[m->reads.data[i]].shared);
  }
  for (size_t i = 0; i < m->writes.count; i++) {
    assert_true(is_touched(m, t->writes, m->writes.data[i]));
    assert_true(is_touched(m, a->writes, m->writes.data[i]));
    bool cell = m->writes.data[i] < m->p->cells.count;
    if (a->local && cell) assert_false(m->p->cells.data[m->writes.data[i]].shared);
  }
}

// Takes the edge both ways and compares; true if it could be taken. Then `state` is the one after it.
static bool take(Machine *m, EdgeId edge) {
  const Edge *e = &m->p->edges.data[edge];
  const Transition *t = &m->t.edges.data[edge];
  for (uint32_t i = 0; i < t->fresh_count; i++) {
    Term fresh = m->t.fresh.data[t->first_fresh + i];
    uint64_t value = random_value(m, term_width(m->p->terms, fresh));
    map_put(&m->fresh, fresh, value);
    map_put(&m->state, fresh, value);
  }
  each_state_variable(m, copy_to_after);
  U32Vector_clear(&m->reads);
  U32Vector_clear(&m->writes);
  bool possible = true, waits = false;
  uint32_t next = t->first_fresh;
  for (uint32_t s = 0; possible && s < e->step_count; s++)
    possible = execute(m, &m->p->steps.data[e->first_step + s], &next, &waits);
  if (possible) assert_int_equal(next, t->first_fresh + t->fresh_count);
  assert_int_equal(value_in(m, &m->state, t->guard), possible);
  assert_int_equal(value_in(m, &m->state, t->open), possible || waits);
  if (possible && t->missed != TERM_NONE) assert_int_equal(value_in(m, &m->state, t->missed), 0);
  check_accesses(m, edge);
  if (!possible) return false;
  uint64_t values[64];
  assert_true(t->update_count <= 64);
  for (uint32_t i = 0; i < t->update_count; i++)
    values[i] = value_in(m, &m->state, m->t.updates.data[t->first_update + i].value);
  for (uint32_t i = 0; i < t->update_count; i++)
    map_put(&m->state, m->t.updates.data[t->first_update + i].variable, values[i]);
  each_state_variable(m, expect_same);
  return true;
}

// --- executions ---

static void machine_open(Machine *m, Program *p, Account *account) {
  *m = (Machine){.p = p, .seed = 7, .account = account};
  transitions_init(&m->t, p, account);
  map_init(&m->state, account);
  map_init(&m->after, account);
  map_init(&m->fresh, account);
  U32Vector_init(&m->reads, account);
  U32Vector_init(&m->writes, account);
  U64Vector_init(&m->values, account);
  for (uint64_t v = 0; v < 4; v++) U64Vector_push(&m->values, v);
  U64Vector_push(&m->values, UINT64_MAX - 1);
  for (size_t o = 0; o < p->objects.count; o++) U64Vector_push(&m->values, p->objects.data[o].address);
}

static void machine_close(Machine *m) {
  U64Vector_free(&m->values);
  U32Vector_free(&m->writes);
  U32Vector_free(&m->reads);
  map_free(&m->fresh);
  map_free(&m->after);
  map_free(&m->state);
  transitions_free(&m->t);
}

// One random execution; each thread runs as if it were born.
static void execute_randomly(Machine *m, bool *taken) {
  const Program *p = m->p;
  map_clear(&m->state);
  each_state_variable(m, set_initial);
  for (ThreadId t = 0; t < p->threads.count; t++) m->at[t] = p->threads.data[t].entry;
  for (unsigned round = 0; round < 24; round++) {
    ThreadId thread = (ThreadId)(random_number(&m->seed) % p->threads.count);
    const Location *location = &p->locations.data[m->at[thread]];
    bool moved = false;
    uint32_t turn = (uint32_t)random_number(&m->seed);
    for (uint32_t i = 0; i < location->out_count && !moved; i++) {
      EdgeId edge = p->out_edges.data[location->first_out + (turn + i) % location->out_count];
      moved = take(m, edge);
      if (!moved) continue;
      taken[edge] = true;
      m->at[thread] = p->edges.data[edge].to;
    }
    if (location->out_count > 0 && m->t.actions.data[location - p->locations.data].local) assert_true(moved);
    if (round % 2) disturb(m);
  }
}

// Random executions of a program; every edge must have been taken in one of them, but those known to be impossible.
static void execute_all(Program *p, Account *account, unsigned rounds) {
  Machine m;
  machine_open(&m, p, account);
  bool *taken = memory_allocate_zeroed(account, p->edges.count);
  for (unsigned i = 0; i < rounds; i++) execute_randomly(&m, taken);
  for (EdgeId e = 0; e < p->edges.count; e++)
    if (!taken[e]) assert_true(term_is_false(p->terms, m.t.edges.data[e].guard));
  memory_free(account, taken, p->edges.count);
  machine_close(&m);
}

// The program as it is, and its views for engines, in steps, single and large blocks.
static void execute_forms(Build *b, unsigned rounds) {
  passes_prepare(b->p, NULL);
  execute_all(b->p, &b->account, rounds);
  for (BlockSize size = BLOCK_STEP; size <= BLOCK_LARGE; size++) {
    Program *view = program_view(b->p);
    passes_reduce(view, PRESERVES_REACHABILITY, size);
    execute_all(view, &b->account, rounds);
    program_free_view(view);
  }
}

// --- the programs ---

static void begin(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
}

static void end(Build *b) {
  build_exit(b, MAIN);
  build_exit(b, FIRST);
}

static Term plus(Build *b, VariableId v, uint64_t value) {
  return term_add_constant(b->p->terms, build_value(b, v), value);
}

static void test_arithmetic_and_branches(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId x = build_int(&b, "x"), y = build_int(&b, "y");
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId v = build_variable(&b, t, 32, "v"), w = build_variable(&b, t, 32, "w");
    build_load(&b, t, v, x);
    build_assign(&b, t, w, VALUE_INPUT);
    Assignment swap[] = {{v, build_value(&b, w)}, {w, plus(&b, v, 3)}}; // in parallel
    Step step = build_step(&b, STEP_PLAIN);
    step.assignments = swap;
    step.assignment_count = 2;
    build_emit(&b, t, &step);
    build_store_at(&b, t, build_address(&b, y, 0), term_sub(b.p->terms, build_value(&b, w), build_value(&b, v)));
    LocationId otherwise =
        build_branch(&b, t, term_binary(b.p->terms, TERM_ULT, build_value(&b, v), build_value(&b, w)));
    build_store_at(&b, t, build_address(&b, x, 0), plus(&b, v, 1));
    build_jump(&b, t, otherwise);
    build_error_if(&b, t, build_equals(&b, w, 3));
    Step divide = build_step(&b, STEP_DIVIDE);
    divide.operand = build_value(&b, v);
    build_emit(&b, t, &divide);
    build_store_at(&b, t, build_address(&b, x, 0), build_value(&b, v));
  }
  end(&b);
  execute_forms(&b, 200);
  build_end(&b);
}

static void test_locks_and_exchanges(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId mutex = build_int(&b, "mutex"), x = build_int(&b, "x");
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId was = build_variable(&b, t, 32, "was");
    build_lock(&b, t, mutex);
    Step step = build_sync(&b, STEP_PLAIN, build_address(&b, x, 0));
    step.access.reads = step.access.writes = true;
    step.access.into = was;
    step.access.stored = plus(&b, was, 1); // mentions what it loads
    build_emit(&b, t, &step);
    build_unlock(&b, t, mutex);
    build_error_if(&b, t, build_equals(&b, was, 2));
  }
  build_exit(&b, FIRST);
  build_join(&b, MAIN, FIRST);
  build_exit(&b, MAIN);
  execute_forms(&b, 200);
  build_end(&b);
}

// A pointer that may mean two objects, one of them of byte cells, read and written through.
static void test_pointers(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId x = build_int(&b, "x"), bytes = build_int(&b, "bytes");
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId p = build_variable(&b, t, 64, "p"), v = build_variable(&b, t, 32, "v");
    VariableId choice = build_variable(&b, t, 8, "choice"), byte = build_variable(&b, t, 8, "byte");
    build_assign(&b, t, choice, VALUE_INPUT);
    Term second =
        term_ite(b.p->terms, build_equals(&b, choice, 1), build_address(&b, bytes, 0), build_constant(&b, 64, 0));
    build_assign(&b, t, p, term_ite(b.p->terms, build_equals(&b, choice, 0), build_address(&b, x, 0), second));
    build_load_at(&b, t, v, build_value(&b, p));
    build_store_at(&b, t, build_value(&b, p), plus(&b, v, 0x102));
    build_load_at(&b, t, byte, build_address(&b, bytes, 1));
    build_error_if(&b, t, build_equals(&b, byte, 1));
    build_error_if(&b, t, build_equals(&b, v, 2));
    build_store_at(&b, t, build_address(&b, x, 0), build_value(&b, v));
  }
  end(&b);
  execute_forms(&b, 400);
  build_end(&b);
}

static void test_heap(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId block = build_object(&b, 4, STORAGE_HEAP, MAIN, "block"),
           other = build_object(&b, 4, STORAGE_HEAP, MAIN, "o");
  for (ObjectId o = block; o <= other; o++) {
    b.p->objects.data[o].dynamic = b.p->objects.data[o].indeterminate = true;
    Step allocate = build_step(&b, STEP_ALLOCATE);
    allocate.target = o;
    build_emit(&b, MAIN, &allocate);
    Step forget = build_step(&b, STEP_PLAIN); // the new block holds anything
    forget.access.address = build_address(&b, o, 0);
    forget.access.bytes = 4;
    forget.access.writes = true;
    forget.access.stored = VALUE_INDETERMINATE;
    build_emit(&b, MAIN, &forget);
  }
  VariableId p = build_variable(&b, MAIN, 64, "p"), v = build_variable(&b, MAIN, 32, "v");
  VariableId choice = build_variable(&b, MAIN, 8, "choice"), w = build_variable(&b, FIRST, 32, "w");
  build_assign(&b, MAIN, choice, VALUE_INPUT);
  Term second =
      term_ite(b.p->terms, build_equals(&b, choice, 1), build_address(&b, other, 0), build_constant(&b, 64, 0));
  build_assign(&b, MAIN, p, term_ite(b.p->terms, build_equals(&b, choice, 0), build_address(&b, block, 0), second));
  Step release = build_step(&b, STEP_FREE);
  release.operand = build_value(&b, p);
  build_emit(&b, MAIN, &release);
  build_load_at(&b, MAIN, v, build_address(&b, block, 0));
  build_error_if(&b, MAIN, build_equals(&b, v, 2));
  build_load_at(&b, FIRST, w, build_address(&b, block, 0));
  build_error_if(&b, FIRST, build_equals(&b, w, 2));
  build_store_at(&b, FIRST, build_address(&b, other, 0), plus(&b, w, 1));
  end(&b);
  execute_forms(&b, 300);
  build_end(&b);
}

// --- what a thread knows by itself ---

static Term update_of(const Transitions *t, EdgeId edge, Term variable) {
  const Transition *transition = &t->edges.data[edge];
  for (uint32_t i = 0; i < transition->update_count; i++)
    if (t->updates.data[transition->first_update + i].variable == variable)
      return t->updates.data[transition->first_update + i].value;
  return variable;
}

static void test_private_constants(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId own = build_int(&b, "own"), shared = build_int(&b, "shared"), joined = build_int(&b, "joined");
  VariableId one = build_variable(&b, MAIN, 32, "one"), two = build_variable(&b, MAIN, 32, "two");
  VariableId three = build_variable(&b, MAIN, 32, "three"), input = build_variable(&b, MAIN, 32, "input");
  build_store(&b, MAIN, own, 5);
  build_store(&b, MAIN, shared, 5);
  build_store(&b, FIRST, shared, 6);
  build_load(&b, MAIN, one, own);    // is 5, whatever the others do
  build_load(&b, MAIN, two, shared); // is not
  build_assign(&b, MAIN, input, VALUE_INPUT);
  LocationId otherwise = build_branch(&b, MAIN, build_equals(&b, input, 0));
  build_store(&b, MAIN, joined, 1);
  LocationId meeting = b.at[MAIN];
  b.at[MAIN] = otherwise;
  build_store(&b, MAIN, joined, 2);
  build_jump(&b, MAIN, meeting);
  build_load(&b, MAIN, three, joined); // 1 or 2
  for (unsigned i = 0; i < 3; i++) build_error_if(&b, MAIN, build_equals(&b, (VariableId[]){one, two, three}[i], 9));
  end(&b);
  passes_prepare(b.p, NULL);
  Transitions t;
  transitions_init(&t, b.p, &b.account);
  TermStore *terms = b.p->terms;
  CellId own_cell = program_cell_at(b.p, b.p->objects.data[own].address);
  assert_false(b.p->cells.data[own_cell].shared);
  unsigned loads = 0;
  for (EdgeId e = 0; e < b.p->edges.count; e++) {
    const Step *step = &b.p->steps.data[b.p->edges.data[e].first_step];
    if (!step->access.reads || step->kind != STEP_PLAIN) continue;
    CellId cell = program_cell_at(b.p, (uint64_t)term_constant_value(terms, step->access.address));
    Term loaded = update_of(&t, e, variable_term(b.p, step->access.into));
    bool is_own = cell == own_cell;
    assert_int_equal(loaded == build_constant(&b, 32, 5), is_own);
    if (!is_own) assert_int_equal(loaded, b.p->cells.data[cell].term);
    const Action *action = &t.actions.data[b.p->edges.data[e].from];
    bool is_shared = b.p->cells.data[cell].shared;
    assert_int_equal(action->local, !is_shared);
    assert_int_equal(t.edges.data[e].reads.count, 1); // known or not, it is read
    assert_int_equal(t.touches.data[t.edges.data[e].reads.first].cell, cell);
    loads++;
  }
  assert_int_equal(loads, 3);
  transitions_free(&t);
  build_end(&b);
}

// --- sections ---

// A section that waits twice and may be stopped before, between and behind.
static void test_sections_that_wait(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId x = build_int(&b, "x"), y = build_int(&b, "y"), one = build_int(&b, "one"), other = build_int(&b, "other");
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId v = build_variable(&b, t, 32, "v"), w = build_variable(&b, t, 32, "w");
    build_section(&b, t);
    build_load(&b, t, v, x);
    build_guarded(&b, t, STEP_ASSUME, term_not(b.p->terms, build_equals(&b, v, 1)));
    build_lock(&b, t, one);
    build_guarded(&b, t, STEP_ASSUME, term_not(b.p->terms, build_equals(&b, v, 2)));
    build_lock(&b, t, other);
    build_load(&b, t, w, y);
    build_guarded(&b, t, STEP_ASSUME, build_equals(&b, w, 3));
    build_unlock(&b, t, other);
    build_unlock(&b, t, one);
    build_section_end(&b, t);
    build_store(&b, t, x, 0);
  }
  end(&b);
  execute_forms(&b, 4000);
  build_end(&b);
}

static void test_section_creates_threads(void **state) {
  (void)state;
  enum { SECOND = 2, THIRD = 3 };
  Build b;
  begin(&b);
  build_thread(&b, "worker", MAIN);
  build_thread(&b, "worker", MAIN);
  build_section(&b, MAIN);
  build_create(&b, MAIN, SECOND);
  build_create(&b, MAIN, THIRD);
  build_section_end(&b, MAIN);
  end(&b);
  build_exit(&b, SECOND);
  build_exit(&b, THIRD);
  execute_forms(&b, 200);
  Program *view = program_view(b.p);
  passes_reduce(view, PRESERVES_REACHABILITY, BLOCK_LARGE);
  Transitions t;
  transitions_init(&t, view, &b.account);
  unsigned both = 0;
  for (EdgeId e = 0; e < view->edges.count; e++)
    both += transitions_births(&t, e) == (thread_bit(SECOND) | thread_bit(THIRD));
  assert_int_equal(both, 1);
  transitions_free(&t);
  program_free_view(view);
  build_end(&b);
}

// --- ends ---

static void test_ends(void **state) {
  (void)state;
  Build b;
  begin(&b);
  VariableId v = build_variable(&b, MAIN, 32, "v");
  build_assign(&b, MAIN, v, VALUE_INPUT);
  build_error_if(&b, MAIN, build_equals(&b, v, 2));
  LocationId on = build_branch(&b, MAIN, build_equals(&b, v, 3));
  CutId cut = program_add_cut(b.p, CUT_CONSTRUCT, "nothing", build_position(&b));
  Step step = build_step(&b, STEP_CUT);
  step.target = cut;
  build_emit(&b, MAIN, &step);
  b.at[MAIN] = on;
  on = build_branch(&b, MAIN, build_equals(&b, v, 4));
  build_kind(&b, MAIN, STEP_HALT);
  b.at[MAIN] = on;
  end(&b);
  passes_prepare(b.p, NULL);
  Transitions t;
  transitions_init(&t, b.p, &b.account);
  unsigned ends[4] = {0};
  for (EdgeId e = 0; e < b.p->edges.count; e++) {
    const Transition *transition = &t.edges.data[e];
    const Edge *edge = &b.p->edges.data[e];
    StepKind kind = b.p->steps.data[edge->first_step].kind;
    ends[transition->end]++;
    if (kind == STEP_ERROR) assert_int_equal(transition->end, ENDS_IN_ERROR);
    if (kind == STEP_CUT) assert_int_equal(transition->end, ENDS_IN_CUT);
    if (kind == STEP_HALT) assert_int_equal(transition->end, ENDS_THE_PROCESS);
    if (transition->end == ENDS_IN_CUT) assert_int_equal(transition->cut, cut);
    assert_int_equal(transitions_births(&t, e), kind == STEP_CREATE ? thread_bit(FIRST) : 0);
    bool alone = kind == STEP_ERROR || kind == STEP_CUT;
    if (transition->then != NO_ID) { // an end that follows belongs to the edge that leads there
      const Edge *then = &b.p->edges.data[transition->then];
      assert_int_equal(then->from, edge->to);
      assert_int_equal(b.p->locations.data[edge->to].out_count, 1);
      assert_int_equal(t.edges.data[transition->then].end, transition->end);
      assert_false(alone);
    } else if (!alone) {
      assert_true(transition->end == ENDS_NOT || transition->end == ENDS_THE_PROCESS);
    }
  }
  assert_int_equal(ends[ENDS_IN_ERROR], 2);
  assert_int_equal(ends[ENDS_IN_CUT], 2);
  assert_int_equal(ends[ENDS_THE_PROCESS], 1);
  transitions_free(&t);
  build_end(&b);
}

// --- actions ---

static void test_actions(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId x = build_int(&b, "x"), y = build_int(&b, "y"), mutex = build_int(&b, "mutex"), own = build_int(&b, "own");
  LocationId at_own = b.at[MAIN];
  VariableId v = build_variable(&b, MAIN, 32, "v"), w = build_variable(&b, FIRST, 32, "w");
  build_assign(&b, MAIN, v, VALUE_INPUT);
  LocationId at_store_own = b.at[MAIN];
  build_store_at(&b, MAIN, build_address(&b, own, 0), build_value(&b, v));
  LocationId at_store = b.at[MAIN];
  EdgeId stores = build_store(&b, MAIN, x, 1);
  LocationId at_lock = b.at[MAIN];
  build_lock(&b, MAIN, mutex);
  LocationId at_assume = b.at[MAIN];
  build_guarded(&b, MAIN, STEP_ASSUME, build_equals(&b, v, 1));
  LocationId at_branch = b.at[MAIN];
  LocationId otherwise = build_branch(&b, MAIN, build_equals(&b, v, 2));
  build_jump(&b, MAIN, otherwise);
  LocationId at_exit = b.at[MAIN];
  LocationId at_load = b.at[FIRST];
  EdgeId loads = build_load(&b, FIRST, w, x);
  LocationId at_other = b.at[FIRST];
  EdgeId stores_other = build_store(&b, FIRST, y, 1);
  LocationId at_foreign_lock = b.at[FIRST];
  build_lock(&b, FIRST, mutex);
  build_error_if(&b, FIRST, build_equals(&b, w, 2));
  end(&b);
  program_index(b.p);
  // Laid out but not cleaned up, so that the numbers above stay.
  for (const Pass *pass = program_passes; pass->name; pass++)
    if (strcmp(pass->name, "layout") == 0) pass->run(b.p);
  program_mark_cells(b.p);
  program_index(b.p);
  Transitions t;
  transitions_init(&t, b.p, &b.account);
  TermStore *terms = b.p->terms;
  assert_true(t.actions.data[at_own].local);
  assert_true(t.actions.data[at_store_own].local);
  assert_false(t.actions.data[at_store].local);
  assert_false(t.actions.data[at_lock].local);
  assert_false(t.actions.data[at_assume].local); // the thread may stop there
  assert_true(t.actions.data[at_branch].local);  // one of the two is always possible
  assert_false(t.actions.data[at_exit].local);
  assert_true(t.edges.data[b.p->out_edges.data[b.p->locations.data[at_lock].first_out]].waits);
  assert_true(term_is_true(terms, transitions_conflict(&t, stores, at_load)));
  assert_true(term_is_true(terms, transitions_conflict(&t, loads, at_store)));
  assert_true(term_is_false(terms, transitions_conflict(&t, loads, at_load))); // two reads
  assert_true(term_is_false(terms, transitions_conflict(&t, stores, at_other)));
  assert_true(term_is_false(terms, transitions_conflict(&t, stores_other, at_store)));
  assert_true(term_is_true(terms, transitions_conflict(&t, stores, at_store)));
  EdgeId locks = b.p->out_edges.data[b.p->locations.data[at_lock].first_out];
  assert_true(term_is_true(terms, transitions_conflict(&t, locks, at_foreign_lock)));
  assert_true(term_is_false(terms, transitions_conflict(&t, locks, at_load)));
  transitions_free(&t);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arithmetic_and_branches),
      cmocka_unit_test(test_locks_and_exchanges),
      cmocka_unit_test(test_pointers),
      cmocka_unit_test(test_heap),
      cmocka_unit_test(test_private_constants),
      cmocka_unit_test(test_sections_that_wait),
      cmocka_unit_test(test_section_creates_threads),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_actions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
