// The bench as a whole. It runs its own executable as `heddle check`, so this program plays that part, too: what
// `fake_check` does is told by the name of its input.
#include "base/file.h"
#include "base/text.h"
#include "bench/bench.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// ---- the child

static int answer(const char *line, int status) {
  puts(line);
  return status;
}

static _Noreturn void spin(void) {
  if (fork() == 0) setpgid(0, 0); // the bench must end this one as well, though it left the group
  for (;;) sleep(1);
}

static void fill_memory(void) {
  for (int i = 0; i < 1000; i++) {
    char *block = malloc(1 << 20);
    if (block) memset(block, i, 1 << 20);
    usleep(2000);
  }
}

static int fake_check(int argc, char **argv) {
  const char *input = strrchr(argv[2], '/') + 1;
  for (int i = 3; i + 1 < argc; i++) {
    if (strcmp(argv[i], "--json") != 0) continue;
    FILE *file = fopen(argv[i + 1], "w");
    if (!file) return 2;
    const char *why = strcmp(input, "time.c") == 0 ? "time" : "unwinding";
    fprintf(file, "{\"why\": \"%s\", \"statistics\": {\"states\": 12345678901, \"seconds\": 0.5, \"name\": \"x\"}}\n",
            why);
    fclose(file);
  }
  if (strcmp(input, "safe.c") == 0) return answer("property: unreach-call\nresult: SAFE", 0);
  if (strcmp(input, "unsafe.c") == 0) return answer("result: UNSAFE", 1);
  if (strcmp(input, "unknown.c") == 0) return answer("result: UNKNOWN (bound, (5))", 3);
  if (strcmp(input, "time.c") == 0) return answer("result: UNKNOWN (out of time)", 3);
  if (strcmp(input, "status.c") == 0) return answer("result: SAFE", 1);
  if (strcmp(input, "silent.c") == 0) return 0;
  if (strcmp(input, "crash.c") == 0) raise(SIGKILL);
  if (strcmp(input, "spin.c") == 0) spin();
  if (strcmp(input, "memory.c") == 0) fill_memory();
  fprintf(stderr, "heddle: %s does not compile\n", input);
  return 2;
}

// ---- the tests

typedef struct Fixture {
  char directory[40];
  char csv[60];
  Text text; // contents of the csv file
} Fixture;

static void run_shell(const char *format, const char *argument) {
  char command[200];
  snprintf(command, sizeof command, format, argument);
  assert_int_equal(system(command), 0);
}

static int set_up(void **state) {
  Fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  strncpy(f->directory, "/tmp/heddle-test-XXXXXX", sizeof f->directory - 1);
  assert_non_null(mkdtemp(f->directory));
  snprintf(f->csv, sizeof f->csv, "%s/out.csv", f->directory);
  text_init(&f->text, NULL);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  Fixture *f = *state;
  run_shell("rm -r '%s'", f->directory);
  text_free(&f->text);
  free(f);
  return 0;
}

static void add_task(const Fixture *f, const char *name, const char *input, const char *expected, const char *more) {
  char path[100];
  snprintf(path, sizeof path, "%s/%s.yml", f->directory, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file,
          "format_version: '2.0'\ninput_files: %s\nproperties:\n  - property_file: unreach-call.prp\n"
          "    expected_verdict: %s\n%s",
          input, expected, more);
  assert_int_equal(fclose(file), 0);
}

// Runs the bench on the directory with the options, silently, and reads the csv file.
static int bench(Fixture *f, const char *const *options) {
  char *arguments[20] = {"bench", f->directory, "--csv", f->csv, "--memory-limit", "2GB", "--time-limit", "30s"};
  int count = 8;
  for (; *options; options++) arguments[count++] = (char *)*options;
  Log log;
  log_init(&log, LOG_QUIET);
  fflush(stdout);
  fflush(stderr);
  int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
  assert_non_null(freopen("/dev/null", "w", stdout));
  assert_non_null(freopen("/dev/null", "w", stderr));
  int status = bench_command(count, arguments, &log);
  fflush(stdout);
  fflush(stderr);
  assert_int_equal(dup2(out, STDOUT_FILENO), STDOUT_FILENO);
  assert_int_equal(dup2(err, STDERR_FILENO), STDERR_FILENO);
  close(out);
  close(err);
  text_clear(&f->text);
  assert_true(file_read(&f->text, f->csv, FILE_MOST_DATA, NULL));
  return status;
}

// Whether some row of the csv file begins with the task's name and then reads as given.
static bool has_row(const Fixture *f, const char *name, const char *rest) {
  Text row;
  text_init(&row, NULL);
  const char *directory = strrchr(f->directory, '/') + 1;
  text_format(&row, "\n%s/%s.yml,unreach-call,%s", directory, name, rest);
  bool found = strstr(f->text.data, row.data) != NULL;
  if (!found) fprintf(stderr, "no row %s in %s\n", row.data + 1, f->text.data);
  text_free(&row);
  return found;
}

static void test_right_answers(void **state) {
  Fixture *f = *state;
  add_task(f, "a", "safe.c", "true", "");
  add_task(f, "b", "unsafe.c", "false", "");
  add_task(f, "c", "unknown.c", "true", "heddle:\n  verdict: UNKNOWN\n  reason: bound\n");
  assert_int_equal(bench(f, (const char *const[]){"--expect", "--jobs", "2", NULL}), 0);
  assert_true(has_row(f, "a", "true,true,,"));
  assert_true(has_row(f, "b", "false,false,,"));
  assert_true(has_row(f, "c", "true,unknown,\"bound, (5)\","));
  assert_non_null(strstr(f->text.data, ",states=12345678901;seconds=0.5,\n"));
}

static void test_wrong_answer(void **state) {
  Fixture *f = *state;
  add_task(f, "a", "safe.c", "false", "");
  assert_int_equal(bench(f, (const char *const[]){NULL}), 1);
  assert_true(has_row(f, "a", "false,true,,"));
}

static void test_undecided_fails_only_if_expected(void **state) {
  Fixture *f = *state;
  add_task(f, "a", "unknown.c", "false", "");
  assert_int_equal(bench(f, (const char *const[]){NULL}), 0);
  assert_int_equal(bench(f, (const char *const[]){"--expect", NULL}), 1);
}

static void test_bad_ends(void **state) {
  Fixture *f = *state;
  add_task(f, "a", "crash.c", "true", "");
  add_task(f, "b", "status.c", "true", "");
  add_task(f, "c", "silent.c", "true", "");
  add_task(f, "d", "time.c", "true", "");
  add_task(f, "e", "broken.c", "true", "");
  assert_int_equal(bench(f, (const char *const[]){NULL}), 0);
  assert_true(has_row(f, "a", "true,error,ended by signal 9,"));
  assert_true(has_row(f, "b", "true,error,exit status 1,"));
  assert_true(has_row(f, "c", "true,error,exit status 0,"));
  assert_true(has_row(f, "d", "true,timeout,out of time,"));
  assert_true(has_row(f, "e", "true,error,exit status 2: heddle: broken.c does not compile,"));
}

static void test_source_beside_preprocessed(void **state) {
  Fixture *f = *state;
  add_task(f, "a", "safe.i", "true", "");
  add_task(f, "b", "lonely.i", "true", "");
  run_shell("touch '%s/safe.c'", f->directory);
  assert_int_equal(bench(f, (const char *const[]){NULL}), 0);
  assert_true(has_row(f, "a", "true,true,,"));
  assert_true(has_row(f, "b", "true,error,exit status 2: heddle: lonely.i does not compile,"));
}

#ifndef HEDDLE_SANITIZE
static void test_limits_are_enforced(void **state) {
  Fixture *f = *state;
  add_task(f, "a", "memory.c", "true", "");
  add_task(f, "b", "spin.c", "true", "");
  assert_int_equal(
      bench(f, (const char *const[]){"--jobs", "2", "--memory-limit", "300MB", "--time-limit", "1s", NULL}), 0);
  assert_true(has_row(f, "a", "true,oom,ended by the bench: over the memory limit,"));
  assert_true(has_row(f, "b", "true,timeout,ended by the bench: over the time limit,"));
  // No process may be left that was given the task's input.
  char command[200];
  snprintf(command, sizeof command,
           "test $(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -cxF '%s/spin.c') -eq 0", f->directory);
  bool left = true;
  for (int tries = 0; tries < 50 && left; tries++) {
    left = system(command) != 0;
    if (left) usleep(20000);
  }
  assert_false(left);
}

static void test_interrupt(void **state) {
  Fixture *f = *state;
  add_task(f, "a", "safe.c", "true", "");
  add_task(f, "b", "spin.c", "true", "");
  add_task(f, "c", "safe.c", "true", "");
  pid_t killer = fork();
  if (killer == 0) {
    usleep(700000);
    kill(getppid(), SIGINT);
    _exit(0);
  }
  assert_int_equal(bench(f, (const char *const[]){NULL}), 1);
  assert_int_equal(waitpid(killer, NULL, 0), killer);
  assert_true(has_row(f, "a", "true,true,,"));
  assert_null(strstr(f->text.data, "b.yml"));
  assert_null(strstr(f->text.data, "c.yml"));
}
#endif

static void test_usage_errors(void **state) {
  (void)state;
  static char *const cases[][4] = {{"bench"},
                                   {"bench", "/nonexistent"},
                                   {"bench", "/", "--jobs", "0"},
                                   {"bench", "/", "--frob"},
                                   {"bench", "/", "--time-limit"},
                                   {"bench", "/", "--property", "happiness"}};
  Log log;
  log_init(&log, LOG_QUIET);
  int err = dup(STDERR_FILENO);
  assert_non_null(freopen("/dev/null", "w", stderr));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int count = 0;
    while (count < 4 && cases[i][count]) count++;
    assert_int_equal(bench_command(count, (char **)cases[i], &log), 2);
  }
  fflush(stderr);
  assert_int_equal(dup2(err, STDERR_FILENO), STDERR_FILENO);
  close(err);
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "check") == 0) return fake_check(argc, argv);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_right_answers),
      TEST(test_wrong_answer),
      TEST(test_undecided_fails_only_if_expected),
      TEST(test_bad_ends),
      TEST(test_source_beside_preprocessed),
#ifndef HEDDLE_SANITIZE
      // The sanitizers' own memory would be measured, and what their runtime leaves at a kill.
      TEST(test_limits_are_enforced),
      TEST(test_interrupt),
#endif
      TEST(test_usage_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
