// Persistent sets: the examples of paper 003 (chapter 4, section 5.1), and what goes wrong with sets that are closed
// less carefully; the checker must see it.
#include "reach/tree/certificate.h"
#include "test_reach_programs.h"

enum { THIRD = 3 };

// --- sets without a tree ---

typedef struct Sets {
  Program *view;
  Transitions transitions;
  ControlTable controls;
  Reduction reduction;
  Precision precision;
  U32Vector validity;
  ControlId control;
} Sets;

static void sets_open(Sets *s, Build *b, bool large) {
  s->view = program_view(b->p);
  passes_reduce(s->view, PRESERVES_REACHABILITY, large ? BLOCK_LARGE : BLOCK_STEP);
  transitions_init(&s->transitions, s->view, &b->account);
  control_table_init(&s->controls, s->view, &b->account);
  reduction_init(&s->reduction, &reduction_persistent, &s->transitions, &s->controls, &b->account);
  precision_init(&s->precision, &s->transitions, &b->account);
  U32Vector_init(&s->validity, &b->account);
  s->control = control_initial(&s->controls);
}

static void sets_close(Sets *s) {
  U32Vector_free(&s->validity);
  precision_free(&s->precision);
  reduction_free(&s->reduction);
  control_table_free(&s->controls);
  transitions_free(&s->transitions);
  program_free_view(s->view);
}

// The thread takes its first possible edges.
static void go(Sets *s, ThreadId thread, unsigned steps) {
  for (; steps > 0; steps--) {
    const Location *at = &s->view->locations.data[control_at(&s->controls, s->control, thread)];
    assert_true(at->out_count > 0);
    EdgeId edge = s->view->out_edges.data[at->first_out];
    assert_false(reduction_excludes(&s->reduction, s->control, edge));
    s->control = control_after(&s->controls, s->control, thread, s->view->edges.data[edge].to,
                               transitions_births(&s->transitions, edge));
  }
}

static void go_to_end(Sets *s, ThreadId thread) {
  while (control_at(&s->controls, s->control, thread) != s->view->threads.data[thread].final) go(s, thread, 1);
}

static ThreadMask mask(ThreadId a, ThreadId b) { return (ThreadMask)1 << a | (ThreadMask)1 << b; }
static ThreadMask only(ThreadId a) { return mask(a, a); }

static ThreadMask enabled_now(const Sets *s) { return reduction_enabled(&s->reduction, s->control); }

static ThreadMask set_from(Sets *s, ThreadMask initial, const Tracks *tracks) {
  U32Vector_clear(&s->validity);
  return persistent_threads(s->reduction.facts, &s->controls, s->control, enabled_now(s), initial, tracks,
                            &s->validity);
}

static ThreadMask choice(Sets *s, const Tracks *tracks) {
  return persistent_choice(s->reduction.facts, &s->controls, s->control, enabled_now(s), tracks);
}

static Term cell_term(const Sets *s, ObjectId object) {
  CellId cell = program_cell_at(s->view, s->view->objects.data[object].address);
  assert_int_not_equal(cell, NO_ID);
  return s->view->cells.data[cell].term;
}

static void expect_validity(const Sets *s, ObjectId object) {
  if (object == NO_ID) {
    assert_int_equal(s->validity.count, 0);
    return;
  }
  assert_int_equal(s->validity.count, 1);
  assert_int_equal(s->validity.data[0], program_cell_at(s->view, s->view->objects.data[object].address));
}

// --- examples 6 and 7: x = 2 * z and y = x - 1 ---

typedef struct Assignments {
  ObjectId x, y, z;
} Assignments;

static Assignments make_assignments(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "first", MAIN);
  build_thread(b, "second", MAIN);
  Assignments o = {build_int(b, "x"), build_int(b, "y"), build_int(b, "z")};
  VariableId in = build_variable(b, MAIN, 32, "in"), seen = build_variable(b, SECOND, 32, "seen");
  build_assign(b, MAIN, in, VALUE_INPUT);
  build_store_at(b, MAIN, build_address(b, o.z, 0), build_value(b, in));
  build_create(b, MAIN, FIRST);
  build_create(b, MAIN, SECOND);
  build_exit(b, MAIN);
  VariableId z = build_variable(b, FIRST, 32, "z"), x = build_variable(b, SECOND, 32, "x");
  TermStore *terms = b->p->terms;
  build_section(b, FIRST);
  build_load(b, FIRST, z, o.z);
  build_store_at(b, FIRST, build_address(b, o.x, 0), term_add(terms, build_value(b, z), build_value(b, z)));
  build_section_end(b, FIRST);
  build_exit(b, FIRST);
  build_section(b, SECOND);
  build_load(b, SECOND, x, o.x);
  build_store_at(b, SECOND, build_address(b, o.y, 0), term_sub(terms, build_value(b, x), build_constant(b, 32, 1)));
  build_section_end(b, SECOND);
  build_load(b, SECOND, seen, o.y);
  build_error_if(b, SECOND, build_equals(b, seen, 9));
  build_exit(b, SECOND);
  passes_prepare(b->p, NULL);
  return o;
}

static void test_example_6(void **state) {
  (void)state;
  Build b;
  Assignments o = make_assignments(&b);
  TermStore *terms = b.p->terms;
  Term two = build_constant(&b, 32, 2), zero = build_constant(&b, 32, 0);
  for (unsigned i = 0; i < 5; i++) {
    Sets s;
    sets_open(&s, &b, true);
    go_to_end(&s, MAIN);
    Term x = cell_term(&s, o.x), y = cell_term(&s, o.y), z = cell_term(&s, o.z);
    Term more = term_binary(terms, TERM_ULT, two, y), sum = term_eq(terms, term_add(terms, x, z), zero);
    Term ordered = term_binary(terms, TERM_ULT, z, y), positive = term_binary(terms, TERM_ULT, zero, y);
    Term is_two = term_eq(terms, z, two);
    switch (i) {
    case 0: break;                                                                      // a: all variables
    case 1: precision_add(&s.precision, y), precision_add(&s.precision, z); break;      // b
    case 2: precision_add(&s.precision, more), precision_add(&s.precision, sum); break; // c
    case 3: precision_add(&s.precision, ordered); break;                                // c: here cells count
    case 4: precision_add(&s.precision, positive), precision_add(&s.precision, is_two); // c
    }
    bool dependent = i == 0 || i == 2;
    const Tracks *tracks = i == 0 ? NULL : &s.precision.tracks;
    assert_int_equal(set_from(&s, only(FIRST), tracks), dependent ? mask(FIRST, SECOND) : only(FIRST));
    expect_validity(&s, dependent ? NO_ID : o.x);
    assert_int_equal(set_from(&s, only(SECOND), tracks), dependent ? mask(FIRST, SECOND) : only(SECOND));
    assert_int_equal(choice(&s, tracks), dependent ? mask(FIRST, SECOND) : only(FIRST));
    sets_close(&s);
  }
  build_end(&b);
}

static void test_example_7(void **state) {
  (void)state;
  Build b;
  Assignments o = make_assignments(&b);
  Sets s;
  sets_open(&s, &b, true);
  go_to_end(&s, MAIN);
  const Tracks *tracks = &s.precision.tracks;
  precision_add(&s.precision, cell_term(&s, o.y));
  precision_add(&s.precision, cell_term(&s, o.z));
  ThreadMask before = set_from(&s, only(FIRST), tracks);
  assert_int_equal(before, only(FIRST));
  expect_validity(&s, o.x);
  uint32_t stamp = tracks->stamp;
  precision_add(&s.precision, cell_term(&s, o.x));
  assert_int_not_equal(tracks->stamp, stamp);
  assert_int_equal(set_from(&s, before, tracks), mask(FIRST, SECOND)); // algorithm 4
  sets_close(&s);
  build_end(&b);
}

// --- section 5.1 ---

typedef struct CaseStudy {
  ObjectId x, y;
} CaseStudy;

// Thread t: x = 2 (alpha); y = 2 (beta); error if x > y. Main: creates t; y = 1 (gamma); joins t.
static CaseStudy make_case_study(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "t", MAIN);
  CaseStudy o = {build_int(b, "x"), build_int(b, "y")};
  build_create(b, MAIN, FIRST);
  build_store(b, MAIN, o.y, 1);
  build_join(b, MAIN, FIRST);
  build_exit(b, MAIN);
  VariableId x = build_variable(b, FIRST, 32, "x"), y = build_variable(b, FIRST, 32, "y");
  build_store(b, FIRST, o.x, 2);
  build_store(b, FIRST, o.y, 2);
  build_load(b, FIRST, x, o.x);
  build_load(b, FIRST, y, o.y);
  build_error_if(b, FIRST, term_binary(b->p->terms, TERM_ULT, build_value(b, y), build_value(b, x)));
  build_exit(b, FIRST);
  passes_prepare(b->p, NULL);
  return o;
}

static void test_case_study(void **state) {
  (void)state;
  Build b;
  CaseStudy o = make_case_study(&b);
  Sets s;
  sets_open(&s, &b, false);
  const Tracks *tracks = &s.precision.tracks;
  precision_add(&s.precision, cell_term(&s, o.x));
  ThreadMask both = mask(MAIN, FIRST);
  assert_int_equal(choice(&s, tracks), only(MAIN)); // s0
  go(&s, MAIN, 1);
  assert_int_equal(enabled_now(&s), both); // s1,0
  assert_int_equal(set_from(&s, only(MAIN), tracks), only(MAIN));
  expect_validity(&s, o.y);
  assert_int_equal(set_from(&s, only(MAIN), NULL), both);
  assert_int_equal(set_from(&s, only(FIRST), tracks), only(FIRST));
  expect_validity(&s, NO_ID);
  assert_int_equal(choice(&s, NULL), only(FIRST));
  go(&s, FIRST, 1); // s1,1
  assert_int_equal(set_from(&s, only(MAIN), tracks), only(MAIN));
  expect_validity(&s, o.y);
  assert_int_equal(set_from(&s, only(FIRST), tracks), only(FIRST));
  assert_int_equal(choice(&s, NULL), both);
  ControlId here = s.control;
  go(&s, MAIN, 1); // s2,1: main is blocked
  assert_int_equal(enabled_now(&s), only(FIRST));
  assert_int_equal(choice(&s, tracks), only(FIRST));
  s.control = here;
  precision_add(&s.precision, cell_term(&s, o.y));
  assert_int_equal(set_from(&s, only(MAIN), tracks), both);
  expect_validity(&s, NO_ID);
  sets_close(&s);
  build_end(&b);
}

// --- what must not be left out: sets, answers of the engine, and what the checker says of broken sets ---

static ExploreAnswer answer_of(Build *b, const ReductionKind *kind, bool large, const char **flaw) {
  ExploreOptions options = {.reduction = kind, .force_cover = true, .checked = UINT64_MAX};
  Search s;
  search_open(&s, b, options, large);
  ExploreAnswer answer = s.answer;
  *flaw = s.explorer.flaw;
  if (answer == EXPLORE_SAFE) *flaw = certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account);
  search_close(&s);
  return answer;
}

static void expect_unsafe(Build *b) {
  const ReductionKind *const kinds[] = {&reduction_persistent, &reduction_aware};
  for (unsigned i = 0; i < 4; i++) {
    const char *flaw;
    ExploreAnswer answer = answer_of(b, kinds[i % 2], i / 2, &flaw);
    if (flaw) print_message("%s\n", flaw);
    assert_null(flaw);
    assert_int_equal(answer, EXPLORE_UNSAFE);
  }
}

static void expect_caught(Build *b, const ReductionKind *broken, const char *part) {
  for (unsigned large = 0; large < 2; large++) {
    const char *flaw;
    assert_int_equal(answer_of(b, broken, large, &flaw), EXPLORE_UNDECIDED);
    assert_non_null(flaw);
    if (!strstr(flaw, part)) print_message("%s\n", flaw);
    assert_non_null(strstr(flaw, part));
  }
}

// Expands the enabled thread with the lowest number that was not main alone, whatever it does.
static ThreadMask choose_first_worker(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  (void)r, (void)tree, (void)node;
  ThreadMask workers = enabled & ~(ThreadMask)1;
  return workers ? workers & (~workers + 1) : enabled;
}

static const ReductionKind first_worker = {
    .name = "first worker", .claim = CLAIMS_PERSISTENT, .by_control = true, .choose = choose_first_worker};

static void test_spinning(void **state) {
  (void)state;
  Build b;
  make_ignored(&b, true);
  Sets s;
  sets_open(&s, &b, false);
  go(&s, MAIN, 1);
  ThreadMask both = mask(MAIN, FIRST);
  assert_int_equal(set_from(&s, only(MAIN), NULL), only(MAIN)); // the body does not go back
  unsigned alone = 0, together = 0;
  for (unsigned i = 0; i < 6; i++) { // but the loop does somewhere
    bool back = s.transitions.actions.data[control_at(&s.controls, s.control, MAIN)].loops;
    assert_int_equal(set_from(&s, only(MAIN), NULL), back ? both : only(MAIN));
    alone += !back;
    together += back;
    go(&s, MAIN, 1);
  }
  assert_true(alone > 0 && together > 0);
  sets_close(&s);
  expect_unsafe(&b);
  build_end(&b);
}

static ThreadMask choose_main(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  (void)r, (void)tree, (void)node;
  return enabled & 1 ? 1 : enabled;
}

static void test_spinning_is_caught(void **state) {
  (void)state;
  Build b;
  make_ignored(&b, true);
  const ReductionKind broken = {.name = "main", .claim = CLAIMS_PERSISTENT, .by_control = true, .choose = choose_main};
  expect_caught(&b, &broken, "may be stuck");
  build_end(&b);
}

// First sets x; second joins third and must not see 0 in x, which it may; third just ends.
static void make_blocked(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  for (ThreadId t = FIRST; t <= THIRD; t++) build_thread(b, "worker", MAIN);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y");
  for (ThreadId t = FIRST; t <= THIRD; t++) build_create(b, MAIN, t);
  build_exit(b, MAIN);
  build_store(b, FIRST, x, 1);
  build_exit(b, FIRST);
  VariableId seen = build_variable(b, SECOND, 32, "seen");
  build_join(b, SECOND, THIRD);
  build_load(b, SECOND, seen, x);
  build_error_if(b, SECOND, build_equals(b, seen, 0));
  build_load(b, SECOND, seen, y);
  build_exit(b, SECOND);
  build_store(b, THIRD, y, 1);
  build_exit(b, THIRD);
  passes_prepare(b->p, NULL);
}

static void test_blocked(void **state) {
  (void)state;
  Build b;
  make_blocked(&b);
  Sets s;
  sets_open(&s, &b, false);
  go_to_end(&s, MAIN);
  assert_int_equal(enabled_now(&s), mask(FIRST, THIRD));
  assert_int_equal(set_from(&s, only(FIRST), NULL), mask(FIRST, THIRD)); // by way of the second, which waits
  // Not even where nothing is tracked may the thread that lets the second go be forgotten; the first does not depend on
  // it.
  assert_int_equal(set_from(&s, only(FIRST), &s.precision.tracks), only(FIRST));
  assert_int_equal(s.validity.count, 1);
  sets_close(&s);
  expect_unsafe(&b);
  expect_caught(&b, &first_worker, "does not commute");
  build_end(&b);
}

// The pitfall: first sets x; second takes a lock that third has, and must not see 0 in x, which it may.
static void make_locked_out(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  for (ThreadId t = FIRST; t <= THIRD; t++) build_thread(b, "worker", MAIN);
  ObjectId x = build_int(b, "x"), mutex = build_int(b, "mutex");
  build_store(b, MAIN, mutex, THIRD + 1);
  for (ThreadId t = FIRST; t <= THIRD; t++) build_create(b, MAIN, t);
  build_exit(b, MAIN);
  build_store(b, FIRST, x, 1);
  build_exit(b, FIRST);
  VariableId seen = build_variable(b, SECOND, 32, "seen");
  build_lock(b, SECOND, mutex);
  build_load(b, SECOND, seen, x);
  build_error_if(b, SECOND, build_equals(b, seen, 0));
  build_exit(b, SECOND);
  build_unlock(b, THIRD, mutex);
  build_exit(b, THIRD);
  passes_prepare(b->p, NULL);
}

static void test_locked_out(void **state) {
  (void)state;
  Build b;
  make_locked_out(&b);
  Sets s;
  sets_open(&s, &b, false);
  go_to_end(&s, MAIN);
  ThreadMask all = mask(FIRST, SECOND) | only(THIRD);
  assert_int_equal(set_from(&s, only(FIRST), NULL), all);
  assert_int_equal(set_from(&s, only(SECOND), NULL),
                   mask(SECOND, THIRD)); // the first writes nothing that it reads next
  assert_int_equal(set_from(&s, only(THIRD), NULL), mask(SECOND, THIRD));
  sets_close(&s);
  expect_unsafe(&b);
  expect_caught(&b, &first_worker, "does not commute");
  build_end(&b);
}

// --- locks ---

// Two workers set x, each with a lock of its own choice. First has taken its lock.
static void make_two_sections(Build *b, bool same_lock, bool unlocked_by_both) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  for (ThreadId t = FIRST; t <= SECOND; t++) build_thread(b, "worker", MAIN);
  ObjectId x = build_int(b, "x"), mutex = build_int(b, "mutex"), other = build_int(b, "other");
  for (ThreadId t = FIRST; t <= SECOND; t++) build_create(b, MAIN, t);
  build_exit(b, MAIN);
  if (unlocked_by_both) build_unlock(b, SECOND, mutex);
  for (ThreadId t = FIRST; t <= SECOND; t++) {
    ObjectId lock = t == FIRST || same_lock ? mutex : other;
    VariableId seen = build_variable(b, t, 32, "seen");
    build_lock(b, t, lock);
    build_load(b, t, seen, x);
    build_error_if(b, t, build_equals(b, seen, 7));
    build_store(b, t, x, t);
    build_unlock(b, t, lock);
    build_exit(b, t);
  }
  passes_prepare(b->p, NULL);
}

static void expect_barrier(bool same_lock, bool unlocked_by_both, bool alone) {
  Build b;
  make_two_sections(&b, same_lock, unlocked_by_both);
  Sets s;
  sets_open(&s, &b, false);
  go_to_end(&s, MAIN);
  if (same_lock) assert_int_equal(set_from(&s, only(FIRST), NULL), mask(FIRST, SECOND)); // both are in front of it
  go(&s, FIRST, 1);
  assert_int_equal(set_from(&s, only(FIRST), NULL), alone ? only(FIRST) : mask(FIRST, SECOND));
  sets_close(&s);
  build_end(&b);
}

static void test_barrier(void **state) {
  (void)state;
  expect_barrier(true, false, true);
  expect_barrier(false, false, false); // another lock keeps no thread out
  expect_barrier(true, true, false);   // a thread that unlocks what another holds gets past
}

// Which thread holds a lock is known by control, whatever labels mention.
static void test_barrier_not_tracked(void **state) {
  (void)state;
  Build b;
  make_two_sections(&b, true, false);
  Sets s;
  sets_open(&s, &b, false);
  go_to_end(&s, MAIN);
  assert_int_equal(set_from(&s, only(FIRST), &s.precision.tracks), mask(FIRST, SECOND));
  go(&s, FIRST, 1);
  ObjectId x = NO_ID;
  for (ObjectId o = 0; o < s.view->objects.count; o++)
    if (s.view->objects.data[o].name && strcmp(s.view->objects.data[o].name, "x") == 0) x = o;
  assert_int_not_equal(x, NO_ID);
  precision_add(&s.precision, term_is_nonzero(b.p->terms, cell_term(&s, x)));
  assert_int_equal(set_from(&s, only(FIRST), &s.precision.tracks), only(FIRST));
  assert_int_equal(s.validity.count, 0);
  sets_close(&s);
  build_end(&b);
}

// First sets x; second creates third, which must not see 0 in x, and may.
static void test_not_created_yet(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  build_thread(&b, "main", NO_ID);
  build_thread(&b, "writer", MAIN);
  build_thread(&b, "creator", MAIN);
  build_thread(&b, "reader", SECOND);
  ObjectId x = build_int(&b, "x");
  build_create(&b, MAIN, FIRST);
  build_create(&b, MAIN, SECOND);
  build_exit(&b, MAIN);
  build_store(&b, FIRST, x, 1);
  build_exit(&b, FIRST);
  build_create(&b, SECOND, THIRD);
  build_exit(&b, SECOND);
  VariableId seen = build_variable(&b, THIRD, 32, "seen");
  build_load(&b, THIRD, seen, x);
  build_error_if(&b, THIRD, build_equals(&b, seen, 0));
  build_exit(&b, THIRD);
  passes_prepare(b.p, NULL);
  Sets s;
  sets_open(&s, &b, false);
  go_to_end(&s, MAIN);
  assert_int_equal(set_from(&s, only(FIRST), NULL), mask(FIRST, SECOND));
  assert_int_equal(choice(&s, NULL), only(SECOND));
  go(&s, SECOND, 1);
  assert_int_equal(set_from(&s, only(FIRST), NULL), mask(FIRST, THIRD));
  sets_close(&s);
  expect_unsafe(&b);
  expect_caught(&b, &first_worker, "does not commute");
  build_end(&b);
}

typedef enum Stop { STOP_ASSUME, STOP_WAIT, STOP_HALT, STOP_CUT, STOP_SECTION, STOPS } Stop;

// First stops for one reason or another, by what it has to itself; second fails.
static void make_stopped(Build *b, Stop stop) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "stops", MAIN);
  build_thread(b, "fails", MAIN);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y");
  build_create(b, MAIN, FIRST);
  build_create(b, MAIN, SECOND);
  build_exit(b, MAIN);
  VariableId v = build_variable(b, FIRST, 32, "v"), seen = build_variable(b, SECOND, 32, "seen");
  Term never = build_equals(b, v, 1);
  Step cut = build_step(b, STEP_CUT);
  cut.target = program_add_cut(b->p, CUT_CONSTRUCT, "something", cut.position);
  build_load(b, FIRST, v, y); // 0, which is not known here
  switch (stop) {
  case STOP_ASSUME: build_guarded(b, FIRST, STEP_ASSUME, never); break;
  case STOP_WAIT: build_guarded(b, FIRST, STEP_WAIT, never); break;
  case STOP_HALT: build_kind(b, FIRST, STEP_HALT); break;
  case STOP_CUT: build_emit(b, FIRST, &cut); break;
  case STOP_SECTION:
  case STOPS:
    build_section(b, FIRST);
    build_assign(b, FIRST, v, plus(b, v, 2));
    build_guarded(b, FIRST, STEP_ASSUME, build_equals(b, v, 1));
    build_section_end(b, FIRST);
    break;
  }
  build_exit(b, FIRST);
  build_store(b, SECOND, x, 1);
  build_load(b, SECOND, seen, x);
  build_error_if(b, SECOND, build_equals(b, seen, 1));
  build_store(b, SECOND, y, 0); // so that y is shared
  build_exit(b, SECOND);
  passes_prepare(b->p, NULL);
}

static void test_stopped(void **state) {
  (void)state;
  for (Stop stop = 0; stop < STOPS; stop++) {
    Build b;
    make_stopped(&b, stop);
    Sets s;
    sets_open(&s, &b, false);
    go_to_end(&s, MAIN);
    go(&s, FIRST, 1);
    assert_int_equal(set_from(&s, only(FIRST), NULL), mask(FIRST, SECOND));
    assert_int_equal(choice(&s, NULL), only(SECOND));
    sets_close(&s);
    expect_unsafe(&b);
    expect_caught(&b, &first_worker, "the reduction leaves");
    build_end(&b);
  }
}

// The next action of a thread in front of a section is all of it.
static void test_section(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  build_thread(&b, "main", NO_ID);
  build_thread(&b, "section", MAIN);
  build_thread(&b, "writer", MAIN);
  ObjectId x = build_int(&b, "x"), y = build_int(&b, "y");
  build_create(&b, MAIN, FIRST);
  build_create(&b, MAIN, SECOND);
  build_exit(&b, MAIN);
  VariableId v = build_variable(&b, FIRST, 32, "v");
  build_section(&b, FIRST);
  build_load(&b, FIRST, v, y);
  build_load(&b, FIRST, v, x);
  build_error_if(&b, FIRST, build_equals(&b, v, 1));
  build_section_end(&b, FIRST);
  build_exit(&b, FIRST);
  build_store(&b, SECOND, y, 1);
  build_store(&b, SECOND, x, 1);
  build_exit(&b, SECOND);
  passes_prepare(b.p, NULL);
  Sets s;
  sets_open(&s, &b, false);
  go_to_end(&s, MAIN);
  go(&s, SECOND, 1); // only x is left to write, which the section reads in its second step
  assert_int_equal(set_from(&s, only(FIRST), NULL), mask(FIRST, SECOND));
  assert_int_equal(set_from(&s, only(SECOND), NULL), mask(FIRST, SECOND));
  go(&s, FIRST, 1);
  assert_int_equal(enabled_now(&s), only(FIRST));
  assert_int_equal(choice(&s, NULL), only(FIRST));
  sets_close(&s);
  expect_unsafe(&b);
  expect_caught(&b, &first_worker, "the reduction leaves");
  build_end(&b);
}

// --- what labels mention ---

static bool tracks_nothing(const Tracks *tracks, uint32_t cell) {
  (void)tracks, (void)cell;
  return false;
}

static ThreadMask choose_blindly(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  const Tracks nothing = {.tracks = tracks_nothing};
  return persistent_choice(r->facts, r->controls, tree_node(tree, node)->control, enabled, &nothing);
}

static void test_precision_is_caught(void **state) {
  (void)state;
  ReductionKind blind = reduction_aware;
  blind.choose = choose_blindly;
  Build b;
  make_case_study(&b);
  expect_unsafe(&b);
  const char *flaw;
  // With a precision that does not grow, the answer is wrong, and its certificate says so.
  ExploreOptions options = {.reduction = &blind, .force_cover = true};
  Search s;
  search_open(&s, &b, options, false);
  assert_int_equal(s.answer, EXPLORE_SAFE);
  s.explorer.options.reduction = &reduction_aware;
  flaw = certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account);
  assert_non_null(flaw);
  assert_non_null(strstr(flaw, "not complete"));
  search_close(&s);
  build_end(&b);
  // Where the choice comes after the labels, the checker sees it.
  make_flipper(&b, 7);
  expect_caught(&b, &blind, "does not commute");
  build_end(&b);
}

// Fewer nodes than without, on threads that have little to do with each other.
static void test_fewer_nodes(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  build_thread(&b, "main", NO_ID);
  for (ThreadId t = FIRST; t <= THIRD; t++) build_thread(&b, "worker", MAIN);
  for (ThreadId t = FIRST; t <= THIRD; t++) build_create(&b, MAIN, t);
  ObjectId chosen[THIRD + 1], sum = build_int(&b, "sum");
  for (ThreadId t = FIRST; t <= THIRD; t++) {
    VariableId v = build_variable(&b, t, 32, "v");
    chosen[t] = build_int(&b, "chosen");
    build_load(&b, t, v, sum); // whatever it is: no label needs it
    build_store_at(&b, t, build_address(&b, sum, 0), plus(&b, v, 1));
    Term one_or_two =
        term_ite(b.p->terms, build_equals(&b, v, 1), build_constant(&b, 32, 1), build_constant(&b, 32, 2));
    build_store_at(&b, t, build_address(&b, chosen[t], 0), one_or_two);
    build_exit(&b, t);
  }
  VariableId seen = build_variable(&b, MAIN, 32, "seen");
  for (ThreadId t = FIRST; t <= THIRD; t++) {
    build_join(&b, MAIN, t);
    build_load(&b, MAIN, seen, chosen[t]);
    build_error_if(&b, MAIN, build_equals(&b, seen, 3));
  }
  build_exit(&b, MAIN);
  passes_prepare(b.p, NULL);
  const ReductionKind *const kinds[] = {&reduction_none, &reduction_persistent, &reduction_aware};
  uint64_t nodes[3];
  for (unsigned i = 0; i < 3; i++) {
    Search s;
    search_open(&s, &b, (ExploreOptions){.reduction = kinds[i], .force_cover = true, .checked = UINT64_MAX}, true);
    assert_int_equal(s.answer, EXPLORE_SAFE);
    assert_null(certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account));
    nodes[i] = s.explorer.statistics.nodes;
    search_close(&s);
  }
  print_message("%lu %lu %lu nodes\n", nodes[0], nodes[1], nodes[2]);
  assert_true(nodes[1] < nodes[0] && nodes[2] < nodes[1] / 2);
  build_end(&b);
}

// --- random programs, every choice checked ---

static void test_random(void **state) {
  (void)state;
  enum { PROGRAMS = 40, FIRST_SEED = 1000 };
  unsigned safe = 0, unsafe = 0;
  for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
    Build b;
    make_random(&b, seed);
    EngineOptions exhaustive = build_options("none");
    Answer expected = ask_engine(&b, &explicit_engine, &exhaustive);
    safe += expected == ANSWER_SAFE;
    unsafe += expected == ANSWER_UNSAFE;
    for (unsigned i = 0; i < 2; i++) {
      const char *flaw;
      ExploreAnswer answer = answer_of(&b, i ? &reduction_aware : &reduction_persistent, seed & 1, &flaw);
      if (flaw) print_message("program %lu: %s\n", seed, flaw);
      assert_null(flaw);
      assert_int_equal(answer, expected == ANSWER_SAFE ? EXPLORE_SAFE : EXPLORE_UNSAFE);
    }
    build_end(&b);
  }
  assert_true(safe > PROGRAMS / 8 && unsafe > PROGRAMS / 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_example_6),
      cmocka_unit_test(test_example_7),
      cmocka_unit_test(test_case_study),
      cmocka_unit_test(test_spinning),
      cmocka_unit_test(test_spinning_is_caught),
      cmocka_unit_test(test_blocked),
      cmocka_unit_test(test_locked_out),
      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_barrier_not_tracked),
      cmocka_unit_test(test_not_created_yet),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_section),
      cmocka_unit_test(test_precision_is_caught),
      cmocka_unit_test(test_fewer_nodes),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
