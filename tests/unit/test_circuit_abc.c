// ABC: what it answers, that nothing of it is believed, and that it never stays behind. And signal correspondence, on
// which its questions rest.
#include "circuit/abc/abc_question.h"
#include "circuit/circuit_engine.h"
#include "test_reach_programs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const Scheduling schedulings[] = {SCHEDULE_INTERLEAVED, SCHEDULE_STUBBORN, SCHEDULE_TRANSACTIONS};
enum { SCHEDULINGS = sizeof schedulings / sizeof *schedulings };

// --- a question ---

typedef struct Asked {
  Build *b;
  CircuitModel m;
  Budget budget;
  Log log;
  CircuitTrace trace;
  Text reason, covered;
  Question question;
} Asked;

static void asked_init(Asked *a, Build *b, Scheduling scheduling) {
  *a = (Asked){.b = b};
  budget_init(&a->budget, 60, NULL);
  log_init(&a->log, LOG_QUIET);
  assert_null(
      circuit_model_init(&a->m, b->p, PROPERTY_UNREACH_CALL, BLOCK_LARGE, scheduling, false, &a->budget, &b->account));
  circuit_trace_init(&a->trace, &b->account);
  text_init(&a->reason, &b->account);
  text_init(&a->covered, &b->account);
  a->question = (Question){.circuit = &a->m.circuit,
                           .bad = aig_or(&a->m.circuit.aig, a->m.circuit.error, a->m.circuit.cut),
                           .budget = &a->budget,
                           .log = &a->log,
                           .account = &b->account,
                           .trace = &a->trace,
                           .reason = &a->reason,
                           .covered = &a->covered,
                           .result = result_new(PROPERTY_UNREACH_CALL, &b->account)};
}

static void asked_free(Asked *a) {
  result_free(a->question.result);
  text_free(&a->covered);
  text_free(&a->reason);
  circuit_trace_free(&a->trace);
  circuit_model_free(&a->m);
}

static void assert_no_children(void) {
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static void expect(Build *b, const Method *method, MethodAnswer answer) {
  for (size_t s = 0; s < SCHEDULINGS; s++) {
    Asked a;
    asked_init(&a, b, schedulings[s]);
    assert_int_equal(method_answer(method, &a.question), answer);
    assert_int_equal(a.reason.length, 0);
    assert_true(result_statistic(a.question.result, "abc_seconds") > 0);
    if (answer == METHOD_REACHED) assert_true(circuit_trace_end(&a.m.circuit, &a.trace).is_error);
    assert_no_children();
    asked_free(&a);
  }
  build_end(b);
}

static void test_both_methods_answer(void **state) {
  (void)state;
  const Method *const methods[] = {&method_pdr, &method_induction};
  for (size_t i = 0; i < 2; i++) {
    Build b;
    make_flipper(&b, 2);
    expect(&b, methods[i], METHOD_UNREACHABLE);
    make_flipper(&b, 1);
    expect(&b, methods[i], METHOD_REACHED);
    make_input(&b, 9);
    expect(&b, methods[i], METHOD_REACHED);
    make_counter(&b, false);
    expect(&b, methods[i], METHOD_REACHED);
    make_ignored(&b, true);
    expect(&b, methods[i], METHOD_REACHED);
  }
  Build b;
  make_counter(&b, true);
  expect(&b, &method_pdr, METHOD_UNREACHABLE);
  make_input(&b, 10);
  expect(&b, &method_pdr, METHOD_UNREACHABLE);
}

static void test_random_programs_have_one_answer(void **state) {
  (void)state;
  enum { PROGRAMS = 8 };
  unsigned answers[3] = {0};
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    Build b;
    make_random(&b, seed);
    MethodAnswer found[2];
    for (size_t i = 0; i < 2; i++) {
      Asked a;
      asked_init(&a, &b, schedulings[seed % SCHEDULINGS]);
      found[i] = method_answer(i ? &method_pdr : &method_bmc, &a.question);
      asked_free(&a);
    }
    assert_int_equal(found[0], found[1]);
    answers[found[0]]++;
    build_end(&b);
  }
  assert_int_equal(answers[METHOD_UNKNOWN], 0);
  assert_true(answers[METHOD_REACHED] > 0 && answers[METHOD_UNREACHABLE] > 0);
}

// --- nothing is believed ---

static InvariantFlaw check(const Asked *a, const Invariant *invariant) {
  Budget budget;
  budget_init(&budget, 60, NULL);
  return invariant_check(invariant, &a->m.circuit, a->question.bad, &budget, &a->b->account);
}

// A copy without one of its cubes.
static void copy_without(const Invariant *from, size_t missing, Invariant *into) {
  for (size_t cube = 0; cube < invariant_count(from); cube++) {
    if (cube == missing) continue;
    for (uint32_t i = from->starts.data[cube]; i < from->starts.data[cube + 1]; i++)
      U32Vector_push(&into->literals, from->literals.data[i]);
    invariant_close(into);
  }
  for (size_t i = 0; i < from->pairs.count; i++) U32Vector_push(&into->pairs, from->pairs.data[i]);
}

static void find_invariant(Asked *a, Invariant *invariant) {
  AbcQuestion q;
  assert_true(abc_question_init(&q, &a->question));
  assert_int_equal(abc_question_run(&q, "pdr -d -I " ABC_INVARIANT_NAME, "", 60), ABC_DONE);
  assert_true(abc_question_printed(&q, "Property proved", NULL));
  text_clear(&q.output);
  abc_read(&q.abc, ABC_INVARIANT, &q.output);
  assert_true(aiger_read_invariant(&q.aiger, q.output.data, invariant));
  correspondence_add_pairs(&q.same, invariant);
  abc_question_free(&q);
}

static void test_spoiled_invariants_are_refused(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  Asked a;
  asked_init(&a, &b, SCHEDULE_STUBBORN);
  Invariant good;
  invariant_init(&good, &b.account);
  find_invariant(&a, &good);
  assert_int_equal(check(&a, &good), INVARIANT_HOLDS);
  assert_true(invariant_count(&good) > 2);
  unsigned refused = 0;
  for (size_t cube = 0; cube < invariant_count(&good); cube++) {
    Invariant spoiled;
    invariant_init(&spoiled, &b.account);
    copy_without(&good, cube, &spoiled);
    refused += check(&a, &spoiled) != INVARIANT_HOLDS;
    invariant_free(&spoiled);
  }
  assert_true(refused > 0);
  Invariant nothing; // is inductive, and excludes nothing
  invariant_init(&nothing, &b.account);
  assert_int_equal(check(&a, &nothing), INVARIANT_NOT_SAFE);
  invariant_add(&nothing, 0, false);
  invariant_close(&nothing);
  assert_int_equal(check(&a, &nothing), INVARIANT_NOT_INITIAL);
  invariant_free(&nothing);
  // The counter of main never leaves its place, says this one; then nothing bad can happen, but it is not so.
  const CircuitThread *main_thread = circuit_thread(&a.m.circuit, MAIN);
  Invariant stuck;
  invariant_init(&stuck, &b.account);
  for (uint32_t i = 0; i < main_thread->latch_count; i++) {
    invariant_add(&stuck, main_thread->first_latch + i, true);
    invariant_close(&stuck);
  }
  assert_int_equal(check(&a, &stuck), INVARIANT_NOT_INDUCTIVE);
  invariant_free(&stuck);
  invariant_free(&good);
  asked_free(&a);
  build_end(&b);
}

static void test_wrong_pairs_are_refused(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  Asked a;
  asked_init(&a, &b, SCHEDULE_INTERLEAVED);
  AigLiteral latch = a.m.circuit.latches.data[circuit_thread(&a.m.circuit, MAIN)->first_latch].now;
  Invariant pairs;
  invariant_init(&pairs, &b.account);
  invariant_add_pair(&pairs, latch, AIG_FALSE);
  Budget budget;
  budget_init(&budget, 60, NULL);
  assert_int_equal(invariant_check(&pairs, &a.m.circuit, AIG_FALSE, &budget, NULL), INVARIANT_NOT_INDUCTIVE);
  invariant_add_pair(&pairs, latch, AIG_TRUE);
  assert_int_equal(invariant_check(&pairs, &a.m.circuit, AIG_FALSE, &budget, NULL), INVARIANT_NOT_INITIAL);
  invariant_free(&pairs);
  asked_free(&a);
  build_end(&b);
}

// Two variables that are always written together, with the same value.
static void make_twins(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  VariableId in = build_variable(b, MAIN, 8, "in"), one = build_variable(b, MAIN, 8, "one");
  VariableId other = build_variable(b, MAIN, 8, "other");
  LocationId head = b->at[MAIN];
  build_assign(b, MAIN, in, VALUE_INPUT);
  build_assign(b, MAIN, one, build_value(b, in));
  build_assign(b, MAIN, other, build_value(b, in));
  build_error_if(b, MAIN, term_not(b->p->terms, term_eq(b->p->terms, build_value(b, one), build_value(b, other))));
  build_jump(b, MAIN, head);
  passes_prepare(b->p, NULL);
}

static void test_equal_nodes_are_found(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  Asked a;
  asked_init(&a, &b, SCHEDULE_TRANSACTIONS);
  Correspondence same;
  correspondence_init(&same, &a.m.circuit, a.question.bad, &a.budget, &b.account);
  assert_true(same.pairs > 0);
  Aiger before, after;
  aiger_init_plain(&before, &a.m.circuit, a.question.bad, &b.account);
  aiger_init_plain(&after, &same.reduced, same.reduced_bad, &b.account);
  assert_true(after.gates.count < before.gates.count);
  Invariant pairs;
  invariant_init(&pairs, &b.account);
  correspondence_add_pairs(&same, &pairs);
  assert_int_equal(pairs.pairs.count, 2 * same.pairs);
  Budget budget;
  budget_init(&budget, 60, NULL);
  assert_int_equal(invariant_check(&pairs, &a.m.circuit, AIG_FALSE, &budget, NULL), INVARIANT_HOLDS);
  invariant_free(&pairs);
  aiger_free(&after);
  aiger_free(&before);
  correspondence_free(&same);
  // Without time nothing is found, and the circuit is a copy.
  a.budget.force_at = "circuit-correspond";
  correspondence_init(&same, &a.m.circuit, a.question.bad, &a.budget, &b.account);
  assert_int_equal(same.pairs, 0);
  correspondence_free(&same);
  asked_free(&a);
  build_end(&b);
  make_twins(&b);
  asked_init(&a, &b, SCHEDULE_INTERLEAVED);
  correspondence_init(&same, &a.m.circuit, a.question.bad, &a.budget, &b.account);
  assert_int_equal(same.reduced_bad, AIG_FALSE); // proved by this alone
  correspondence_free(&same);
  asked_free(&a);
  build_end(&b);
}

// --- the process ---

static void test_missing_abc_is_said(void **state) {
  (void)state;
  char *path = strdup(getenv("PATH"));
  setenv("PATH", "/nonexistent", 1);
  const Method *const methods[] = {&method_pdr, &method_induction};
  for (size_t i = 0; i < 2; i++) {
    Build b;
    make_counter(&b, true);
    Asked a;
    asked_init(&a, &b, SCHEDULE_STUBBORN);
    assert_int_equal(method_answer(methods[i], &a.question), METHOD_UNKNOWN);
    assert_string_equal(a.reason.data, "berkeley-abc is not installed");
    asked_free(&a);
    build_end(&b);
  }
  setenv("PATH", path, 1);
  free(path);
}

static void test_every_stop_point_stops(void **state) {
  (void)state;
  static const char *const points[] = {"circuit-abc", "circuit-invariant", "solver-check"};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    Build b;
    make_counter(&b, true);
    Asked a;
    asked_init(&a, &b, SCHEDULE_STUBBORN);
    a.budget.force_at = points[i];
    assert_int_equal(method_answer(&method_pdr, &a.question), METHOD_UNKNOWN);
    assert_string_equal(a.reason.data, "stopped by test");
    assert_no_children();
    asked_free(&a);
    build_end(&b);
  }
  Build b;
  make_flipper(&b, 2);
  Asked a;
  asked_init(&a, &b, SCHEDULE_INTERLEAVED);
  a.budget.force_at = "circuit-abc";
  assert_int_equal(method_answer(&method_induction, &a.question), METHOD_UNKNOWN);
  assert_string_equal(a.reason.data, "stopped by test");
  assert_no_children();
  asked_free(&a);
  build_end(&b);
}

static AbcEnd run_sleeper(double slice, double limit, double *seconds) {
  Text nothing, reason;
  text_init(&nothing, NULL);
  text_init(&reason, NULL);
  Abc abc;
  assert_true(abc_init(&abc, &nothing));
  Budget budget;
  budget_init(&budget, limit, NULL);
  double begin = clock_now();
  AbcEnd end = abc_run(&abc, "!sleep 100", slice, &budget, &reason);
  *seconds = clock_now() - begin;
  abc_free(&abc);
  text_free(&reason);
  text_free(&nothing);
  return end;
}

static void test_time_is_kept(void **state) {
  (void)state;
  double seconds;
  assert_int_equal(run_sleeper(0.2, 60, &seconds), ABC_OVERTIME);
  assert_true(seconds >= 0.2 && seconds < 10);
  assert_int_equal(run_sleeper(60, 0.2, &seconds), ABC_STOPPED);
  assert_true(seconds >= 0.2 && seconds < 10);
  assert_no_children();
}

// Looks for what is not there, without an end.
static _Noreturn void search_for_ever(int pipe) {
  Build b;
  make_counter(&b, true);
  Asked a;
  asked_init(&a, &b, SCHEDULE_INTERLEAVED);
  AbcQuestion q;
  if (!abc_question_init(&q, &a.question) || write(pipe, "x", 1) != 1) _exit(1);
  abc_question_run(&q, "bmc3", "", 60);
  _exit(0);
}

// A pipe is open as long as someone has its other end: ABC gets it from its parent, which is killed.
static void test_abc_ends_with_its_parent(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    search_for_ever(ends[1]);
  }
  close(ends[1]);
  char byte;
  assert_int_equal(read(ends[0], &byte, 1), 1);
  struct pollfd open_end = {.fd = ends[0], .events = POLLIN};
  assert_int_equal(poll(&open_end, 1, 500), 0); // it works on
  kill(child, SIGKILL);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(poll(&open_end, 1, 10000), 1);
  assert_int_equal(read(ends[0], &byte, 1), 0); // no process is left
  close(ends[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_both_methods_answer),
      cmocka_unit_test(test_random_programs_have_one_answer),
      cmocka_unit_test(test_spoiled_invariants_are_refused),
      cmocka_unit_test(test_wrong_pairs_are_refused),
      cmocka_unit_test(test_equal_nodes_are_found),
      cmocka_unit_test(test_missing_abc_is_said),
      cmocka_unit_test(test_every_stop_point_stops),
      cmocka_unit_test(test_time_is_kept),
      cmocka_unit_test(test_abc_ends_with_its_parent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
