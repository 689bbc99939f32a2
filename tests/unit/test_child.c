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
  ChildLine line;
  bool dies; // after what it says
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

// Says two records, the second only when the first was answered.
static void talk(void *context, Text *out) {
  const Job *job = context;
  Text text;
  text_init(&text, NULL);
  text_add(&text, "first");
  child_send(&job->line, &text);
  text_clear(&text);
  if (!child_receive(&job->line, &text)) _exit(7);
  text_add(&text, ", and second");
  child_send(&job->line, &text);
  if (job->dies) raise(SIGKILL);
  text_add(out, "the end");
  text_free(&text);
}

static void test_records(void **state) {
  (void)state;
  Interrupt interrupt;
  assert_true(interrupt_init(&interrupt));
  for (unsigned dies = 0; dies < 2; dies++) {
    Job job = {.interrupt = &interrupt, .line = {-1}, .dies = dies};
    ChildLimits limits = {.grace = 0.2, .line = &job.line};
    Child child;
    child_start(&child, &interrupt, &limits, talk, &job);
    Text record;
    text_init(&record, NULL);
    assert_int_equal(children_wait(&child, 1, &interrupt, 0), 0);
    assert_true(child.running && child_take_record(&child.report, &record));
    assert_string_equal(record.data, "first");
    assert_false(child_take_record(&child.report, &record));
    assert_int_equal(job.line.socket, -1); // only the child has it
    text_clear(&record);
    text_add(&record, "heard");
    child_answer(&child, &record);
    while (child.running) children_wait(&child, 1, &interrupt, 0);
    text_clear(&record);
    assert_true(child_take_record(&child.report, &record)); // it arrived whole, whatever became of the child
    assert_string_equal(record.data, "heard, and second");
    assert_int_equal(child.report.end, dies ? CHILD_CRASHED : CHILD_DONE);
    assert_string_equal(child_output(&child.report), dies ? "" : "the end");
    child_answer(&child, &record); // nothing hears it
    child_report_free(&child.report);
    text_free(&record);
  }
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
      cmocka_unit_test(test_ends),     cmocka_unit_test(test_records),
      cmocka_unit_test(test_deadline), cmocka_unit_test(test_interrupt),
#ifndef HEDDLE_SANITIZE
      cmocka_unit_test(test_memory),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
