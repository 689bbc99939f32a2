// Work in child processes: every way to end, limits, interrupts, nesting.
#include "base/budget.h"
#include "cli/run/child.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

typedef struct Job {
  Interrupt *interrupt;
  size_t bytes;
} Job;

static void write_much(void *context, Text *out) {
  const Job *job = context;
  for (size_t i = 0; i < job->bytes; i++) text_add_char(out, (char)('a' + i % 26));
}

static void crash(void *context, Text *out) {
  (void)context;
  text_add(out, "half");
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

static void fail_with_status(void *context, Text *out) {
  (void)context;
  (void)out;
  _exit(5);
}

static void exhaust(void *context, Text *out) {
  (void)context;
  (void)out;
  Account account = {.room = "test", .limit = 1000};
  memory_allocate(&account, 2000);
}

static void sleep_for_ever(void *context, Text *out) {
  (void)context;
  (void)out;
  for (;;) pause();
}

// Ends on its own when it is told to.
static void wait_for_flag(void *context, Text *out) {
  const Job *job = context;
  Budget budget;
  budget_init(&budget, 0, job->interrupt->flag);
  while (!budget_exhausted(&budget, "test")) usleep(1000);
  text_add(out, stop_reason_text(budget.reason));
}

static void nest(void *context, Text *out) {
  Job *job = context;
  ChildLimits limits = {.grace = 0.2};
  ChildReport report;
  child_run(job->interrupt, &limits, crash, NULL, &report);
  text_format(out, "child %s", report.reason.data);
  child_report_free(&report);
  child_run(job->interrupt, &limits, write_much, job, &report);
  text_format(out, ", %s", report.output.data);
  child_report_free(&report);
}

static void test_ends(void **state) {
  (void)state;
  Interrupt interrupt;
  assert_true(interrupt_init(&interrupt));
  Job job = {.interrupt = &interrupt, .bytes = 1000000}; // more than a pipe holds
  ChildLimits limits = {.grace = 0.2};
  ChildReport report;
  child_run(&interrupt, &limits, write_much, &job, &report);
  assert_int_equal(report.end, CHILD_DONE);
  assert_int_equal(report.output.length, job.bytes);
  assert_int_equal(report.output.data[job.bytes - 1], 'a' + (int)((job.bytes - 1) % 26));
  child_report_free(&report);
  child_run(&interrupt, &limits, crash, NULL, &report);
  assert_int_equal(report.end, CHILD_CRASHED);
  assert_string_equal(report.reason.data, "crashed (signal 11)");
  child_report_free(&report);
  child_run(&interrupt, &limits, fail_with_status, NULL, &report);
  assert_int_equal(report.end, CHILD_CRASHED);
  assert_non_null(strstr(report.reason.data, "status 5"));
  child_report_free(&report);
  child_run(&interrupt, &limits, exhaust, NULL, &report);
  assert_int_equal(report.end, CHILD_OUT_OF_MEMORY);
  assert_string_equal(report.reason.data, "out of memory");
  child_report_free(&report);
  job.bytes = 3;
  limits.leads_group = true;
  child_run(&interrupt, &limits, nest, &job, &report);
  assert_int_equal(report.end, CHILD_DONE);
  assert_string_equal(report.output.data, "child crashed (signal 11), abc");
  child_report_free(&report);
  interrupt_free(&interrupt);
}

static void test_deadline(void **state) {
  (void)state;
  Interrupt interrupt;
  assert_true(interrupt_init(&interrupt));
  double started = clock_now();
  ChildLimits limits = {.deadline = started + 0.2, .grace = 5, .leads_group = true};
  ChildReport report;
  child_run(&interrupt, &limits, sleep_for_ever, NULL, &report);
  assert_int_equal(report.end, CHILD_OUT_OF_TIME);
  assert_string_equal(report.reason.data, "out of time");
  assert_true(clock_now() - started >= 0.2);
  assert_true(clock_now() - started < 5);
  child_report_free(&report);
  interrupt_free(&interrupt);
}

static void test_interrupt(void **state) {
  (void)state;
  Interrupt interrupt;
  assert_true(interrupt_init(&interrupt));
  Job job = {.interrupt = &interrupt};
  ChildLimits limits = {.grace = 3};
  ChildReport report;
  kill(getpid(), SIGTERM); // blocked, so it waits to be read
  child_run(&interrupt, &limits, wait_for_flag, &job, &report);
  assert_int_equal(report.end, CHILD_DONE);
  assert_string_equal(report.output.data, "interrupted");
  child_report_free(&report);
  double started = clock_now();
  limits.grace = 0.1;
  child_run(&interrupt, &limits, sleep_for_ever, NULL, &report); // the flag is still set
  assert_int_equal(report.end, CHILD_INTERRUPTED);
  assert_string_equal(report.reason.data, "interrupted");
  assert_true(clock_now() - started < 2);
  child_report_free(&report);
  interrupt_free(&interrupt);
}

#ifndef HEDDLE_SANITIZE
static void allocate_without_end(void *context, Text *out) {
  (void)context;
  for (;;) text_add(out, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
}

static void test_memory(void **state) {
  (void)state;
  Interrupt interrupt;
  assert_true(interrupt_init(&interrupt));
  ChildLimits limits = {.memory = 64u << 20, .deadline = clock_now() + 30};
  ChildReport report;
  child_run(&interrupt, &limits, allocate_without_end, NULL, &report);
  assert_int_equal(report.end, CHILD_OUT_OF_MEMORY);
  assert_true(report.peak_memory < 80e6);
  child_report_free(&report);
  interrupt_free(&interrupt);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_deadline),
      cmocka_unit_test(test_interrupt),
#ifndef HEDDLE_SANITIZE
      cmocka_unit_test(test_memory),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
