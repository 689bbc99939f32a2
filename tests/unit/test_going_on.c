// Searches that go on after a violation: on random programs, what an engine tells in one search is what it finds when
// it is asked again and again from nothing, and what exhaustive search without reduction finds so.
#include "test_replay_support.h"

#include "base/random.h"
#include "circuit/circuit_engine.h"
#include "order/order.h"
#include "report/trace_finding.h"

enum { THREADS = 3, CELLS = 3, LOCKS = 2, OPERATIONS = 4, PROGRAMS = 12 };

// --- programs ---

typedef struct Random {
  Build *b;
  uint64_t seed;
  ObjectId cells[CELLS], locks[LOCKS];
  ThreadId threads[THREADS];
  bool locking; // only locks
} Random;

static uint64_t draw(Random *r, uint64_t below) { return random_next(&r->seed) % below; }

static VariableId load(Random *r, ThreadId t) {
  VariableId v = build_variable(r->b, t, 32, "v");
  build_load(r->b, t, v, r->cells[draw(r, CELLS)]);
  return v;
}

static void divide(Random *r, ThreadId t) {
  VariableId v = load(r, t);
  Step step = build_step(r->b, STEP_DIVIDE);
  step.operand = build_value(r->b, v);
  build_emit(r->b, t, &step);
}

static void take_both_locks(Random *r, ThreadId t) {
  unsigned first = (unsigned)draw(r, LOCKS);
  build_lock(r->b, t, r->locks[first]);
  build_lock(r->b, t, r->locks[1 - first]);
  build_store(r->b, t, r->cells[0], 1);
  build_unlock(r->b, t, r->locks[first]);
  build_unlock(r->b, t, r->locks[1 - first]);
}

static void operate(Random *r, ThreadId t, bool inside) {
  switch (r->locking ? 4 : draw(r, inside ? 3 : 5)) {
  case 0: build_store(r->b, t, r->cells[draw(r, CELLS)], draw(r, 3)); break;
  case 1: build_error_if(r->b, t, build_equals(r->b, load(r, t), draw(r, 3))); break;
  case 2: divide(r, t); break;
  case 3:
    build_section(r->b, t);
    operate(r, t, true);
    operate(r, t, true);
    build_section_end(r->b, t);
    break;
  default: take_both_locks(r, t); break;
  }
}

static void build_random(Build *b, uint64_t seed, bool locking) {
  build_begin(b);
  Random r = {.b = b, .seed = seed, .locking = locking};
  for (unsigned i = 0; i < CELLS; i++) r.cells[i] = build_int(b, "cell");
  for (unsigned i = 0; i < LOCKS; i++) r.locks[i] = build_int(b, "lock");
  for (unsigned i = 0; i < THREADS; i++) r.threads[i] = build_thread(b, "thread", i ? r.threads[0] : NO_ID);
  for (unsigned i = 1; i < THREADS; i++) build_create(b, r.threads[0], r.threads[i]);
  for (unsigned i = 0; i < THREADS; i++) {
    for (unsigned k = 0; k < (locking ? 2 : OPERATIONS); k++) operate(&r, r.threads[i], false);
    build_exit(b, r.threads[i]);
  }
  passes_prepare(b->p, NULL);
}

// --- findings ---

VECTOR(FindingVector, Finding);

typedef struct Told {
  FindingVector findings;
  Answer rest;
  unsigned searches;
} Told;

// Has the judge confirm it, and settles it.
static void settle(Told *told, Program *p, const Schedule *schedule) {
  Trace trace;
  Text message;
  trace_init(&trace, NULL);
  text_init(&message, NULL);
  if (judge_schedule(p, schedule, &trace, &message, NULL) != JUDGE_VIOLATION) fail_msg("%s", message.data);
  Finding *finding = FindingVector_push(&told->findings, (Finding){.kind = VIOLATION_NONE});
  finding_init(finding, VIOLATION_NONE);
  trace_finding(p, &trace, finding);
  for (size_t i = 0; i + 1 < told->findings.count; i++)
    assert_false(finding_is_same(&told->findings.data[i], finding)); // what is settled is found no more
  assert_true(finding_settle(finding, p));
  text_free(&message);
  trace_free(&trace);
}

static bool tell(const Context *context, const Schedule *schedule) {
  settle(context->listener, context->program, schedule);
  return true;
}

static void told_free(Told *told) {
  for (size_t i = 0; i < told->findings.count; i++) finding_free(&told->findings.data[i]);
  FindingVector_free(&told->findings);
}

static bool has(const Told *told, const Finding *finding) {
  for (size_t i = 0; i < told->findings.count; i++)
    if (finding_is_same(&told->findings.data[i], finding)) return true;
  return false;
}

static bool is_same(const Told *a, const Told *b) {
  bool same = a->rest == b->rest && a->findings.count == b->findings.count;
  for (size_t i = 0; i < a->findings.count && same; i++) same = has(b, &a->findings.data[i]);
  return same;
}

typedef struct Way {
  const char *name;
  const Engine *engine;
  EngineOptions options;
} Way;

static void find_all(const Way *way, uint64_t seed, Property property, bool goes_on, Told *told) {
  *told = (Told){.rest = ANSWER_UNSAFE};
  Build b;
  build_random(&b, seed, property == PROPERTY_NO_DEADLOCK);
  Budget budget;
  budget_init(&budget, 0, NULL);
  Context context = {.program = b.p, .property = property, .options = &way->options, .budget = &budget};
  context.account = &b.account;
  context.log = &(Log){.level = LOG_QUIET};
  if (goes_on) context.tell = tell;
  context.listener = told;
  while (told->rest == ANSWER_UNSAFE) {
    Result *result = way->engine->run(&context);
    told->searches++;
    told->rest = result->answer;
    if (result->answer == ANSWER_UNSAFE) settle(told, b.p, result->schedule);
    result_free(result);
  }
  build_end(&b);
}

#define OPTIONS(chosen_reduction, chosen_method)                                                                       \
  {.reduction = chosen_reduction,                                                                                      \
   .symmetry = "auto",                                                                                                 \
   .search = "exhaustive",                                                                                             \
   .seed = 1,                                                                                                          \
   .input_bits = 8,                                                                                                    \
   .refine = "graph",                                                                                                  \
   .schedule = "transactions",                                                                                         \
   .method = chosen_method}
static const Way reference = {"replay without reduction", &explicit_engine, OPTIONS("none", "bmc")};
static const Way ways[] = {{"replay", &explicit_engine, OPTIONS("persistent", "bmc")},
                           {"replay, sleep sets", &explicit_engine, OPTIONS("sleep", "bmc")},
                           {"order", &order_engine, OPTIONS("auto", "bmc")},
                           {"circuit, bmc", &circuit_engine, OPTIONS("auto", "bmc")},
                           {"circuit, bdd", &circuit_engine, OPTIONS("auto", "bdd")}};
enum { WAYS = sizeof ways / sizeof *ways };

static void expect_same(const Way *way, uint64_t seed, Property property, const Told *a, const Told *b) {
  if (is_same(a, b)) return;
  fail_msg("program %u, %s: %s finds %zu (rest %s), and %zu (rest %s) are expected", (unsigned)seed,
           property_name(property), way->name, a->findings.count, answer_text(a->rest), b->findings.count,
           answer_text(b->rest));
}

// Returns how many programs had several findings.
static unsigned try_property(Property property, unsigned programs) {
  unsigned several = 0;
  for (uint64_t seed = 1; seed <= programs; seed++) {
    Told expected;
    find_all(&reference, seed, property, false, &expected);
    several += expected.findings.count > 1;
    assert_int_equal(expected.searches, expected.findings.count + 1);
    for (size_t w = 0; w < WAYS; w++) {
      Told told;
      find_all(&ways[w], seed, property, true, &told);
      assert_int_equal(told.searches, 1);
      expect_same(&ways[w], seed, property, &told, &expected);
      told_free(&told);
    }
    told_free(&expected);
  }
  return several;
}

static void test_errors(void **state) {
  (void)state;
  assert_true(try_property(PROPERTY_UNREACH_CALL, PROGRAMS) > PROGRAMS / 4);
}

static void test_divisions(void **state) {
  (void)state;
  assert_true(try_property(PROPERTY_NO_DIVISION_BY_ZERO, PROGRAMS) > PROGRAMS / 4);
}

static void test_deadlocks(void **state) {
  (void)state;
  assert_true(try_property(PROPERTY_NO_DEADLOCK, PROGRAMS / 2) > 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_divisions),
                                     cmocka_unit_test(test_deadlocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
