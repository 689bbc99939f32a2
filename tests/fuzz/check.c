#define _GNU_SOURCE // pipe2
#include "fuzz/check.h"

#include "base/budget.h"
#include "base/file.h"
#include "front/module/clang.h"
#include "fuzz/result_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_ARGUMENTS = 48, GRACE = 30 }; // seconds beyond the time limit until a check counts as stuck

static const char result_name[] = "result.json";

const char *outcome_answer_text(Answer answer) {
  static const char *const texts[ANSWER_COUNT] = {"not asked", "SAFE", "UNSAFE", "UNKNOWN", "refused", "crashed"};
  return texts[answer];
}

static void path_in(const Checker *checker, const char *name, Text *path) {
  text_init(path, NULL);
  text_format(path, "%s/%s", checker->directory, name);
}

// Formulas are compiled together with the program, and checks of overflow are put in by the compiler.
static bool wants_source(const Checker *checker) {
  return checker->formula || strcmp(checker->property, "no-overflow") == 0;
}

bool checker_load(const Checker *checker, const char *source, Text *error) {
  Text text, source_path, bitcode_path;
  text_init(&text, NULL);
  text_add(&text, source);
  path_in(checker, "program.c", &source_path);
  path_in(checker, "program.bc", &bitcode_path);
  ByteVector bitcode = {0};
  const char *const files[] = {source_path.data};
  FrontOptions options = {.files = files, .file_count = 1, .pointer_width = 64};
  bool done = text_write_file(&text, source_path.data) == 0;
  if (!done) text_format(error, "%s: %s", source_path.data, strerror(errno));
  bool compiled = done && !wants_source(checker);
  done = done && (!compiled || clang_compile(&options, 0, &bitcode, error));
  text_clear(&text);
  text_add_bytes(&text, (const char *)bitcode.data, bitcode.count);
  if (compiled && done && text_write_file(&text, bitcode_path.data) != 0) {
    text_format(error, "%s: %s", bitcode_path.data, strerror(errno));
    done = false;
  }
  ByteVector_free(&bitcode);
  text_free(&text);
  text_free(&source_path);
  text_free(&bitcode_path);
  return done;
}

// --- command lines ---

typedef struct Arguments {
  const char *list[MOST_ARGUMENTS + 1];
  unsigned count;
  Text words; // the options, cut apart by zero bytes
  Text limit;
} Arguments;

static void argument(Arguments *arguments, const char *text) {
  assert(arguments->count < MOST_ARGUMENTS);
  arguments->list[arguments->count++] = text;
  arguments->list[arguments->count] = NULL;
}

static void arguments_init(Arguments *arguments, const Checker *checker, const Configuration *configuration,
                           const char *file) {
  arguments->count = 0;
  text_init(&arguments->words, NULL);
  text_init(&arguments->limit, NULL);
  if (!configuration->engine) {
    argument(arguments, configuration->command);
    argument(arguments, file);
    if (checker->formula) argument(arguments, checker->formula);
    if (checker->formula && checker->fair) argument(arguments, "--fair");
    return;
  }
  text_format(&arguments->limit, "%gs", checker->time_limit);
  const char *const first[] = {checker->heddle,
                               "check",
                               file,
                               "--first",
                               checker->formula ? "--ltl" : "--property",
                               checker->formula ? checker->formula : checker->property,
                               "--engine",
                               configuration->engine,
                               "--time-limit",
                               arguments->limit.data};
  for (unsigned i = 0; i < sizeof first / sizeof *first; i++) argument(arguments, first[i]);
  if (checker->formula && checker->fair) argument(arguments, "--fair");
  text_add(&arguments->words, configuration->options);
  for (char *word = arguments->words.data; *word;) {
    argument(arguments, word);
    word += strcspn(word, " ");
    if (*word) *word++ = 0;
  }
}

static void arguments_free(Arguments *arguments) {
  text_free(&arguments->words);
  text_free(&arguments->limit);
}

void checker_command(const Checker *checker, const Configuration *configuration, const char *file, Text *text) {
  Arguments arguments;
  arguments_init(&arguments, checker, configuration, file);
  for (unsigned i = 0; i < arguments.count; i++) {
    const char *quote = strpbrk(arguments.list[i], " ()!<>&|") ? "'" : "";
    text_format(text, "%s%s%s%s", i ? " " : "", quote, arguments.list[i], quote);
  }
  arguments_free(&arguments);
}

// --- running ---

// Starts the command in a process group of its own, its standard output on `out`.
static pid_t start(const Arguments *arguments, int out, const char *errors) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  pid_t child = -1;
  int failure = posix_spawn(&child, arguments->list[0], &actions, &attributes, (char *const *)arguments->list, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  errno = failure;
  return failure ? -1 : child;
}

// Reads until the end; false if that does not come in time.
static bool read_output(int from, double seconds, Text *output) {
  double deadline = clock_now() + seconds;
  for (;;) {
    struct pollfd poll_for = {.fd = from, .events = POLLIN};
    double left = deadline - clock_now();
    int ready = left > 0 ? poll(&poll_for, 1, (int)(left * 1000) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    char buffer[4096];
    ssize_t got = read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text_add_bytes(output, buffer, (size_t)got);
  }
}

static void give(Outcome *outcome, Answer answer, const char *reason) {
  outcome->answer = answer;
  outcome->unconfirmed = false;
  snprintf(outcome->reason, sizeof outcome->reason, "%.*s", (int)strcspn(reason, "\n"), reason);
}

// UNKNOWN (reason): an engine that failed is no better than one that crashed. The kind of the reason is in the result's
// JSON, which foreign commands need not write.
static void give_unknown(const Checker *checker, Outcome *outcome, char *reason) {
  size_t length = strlen(reason);
  if (length && reason[length - 1] == ')') reason[length - 1] = 0;
  Text path, error;
  path_in(checker, result_name, &path);
  text_init(&error, NULL);
  ResultKind kind = result_kind_read(path.data, &error);
  if (kind == RESULT_IN_DOUBT)
    give(outcome, ANSWER_UNKNOWN, "the judge is in doubt");
  else
    give(outcome, kind == RESULT_HONEST ? ANSWER_UNKNOWN : ANSWER_CRASHED, error.length ? error.data : reason);
  outcome->unconfirmed = kind == RESULT_UNCONFIRMED;
  text_free(&error);
  text_free(&path);
}

// The exit status and the last line must say the same.
static void judge_output(const Checker *checker, Text *output, int status, Outcome *outcome) {
  static const char safe[] = "result: SAFE", unsafe[] = "result: UNSAFE", unknown[] = "result: UNKNOWN (";
  if (output->length && output->data[output->length - 1] == '\n') output->data[--output->length] = 0;
  char *last = strrchr(output->data, '\n');
  last = last ? last + 1 : output->data;
  if (status == 0 && strcmp(last, safe) == 0) {
    give(outcome, ANSWER_SAFE, "");
  } else if (status == 1 && strcmp(last, unsafe) == 0) {
    give(outcome, ANSWER_UNSAFE, "");
  } else if (status == 3 && strncmp(last, unknown, sizeof unknown - 1) == 0) {
    give_unknown(checker, outcome, last + sizeof unknown - 1);
  } else {
    Text reason;
    text_init(&reason, NULL);
    text_format(&reason, "exit status %d with the last line '%s'", status, last);
    give(outcome, ANSWER_CRASHED, reason.data);
    text_free(&reason);
  }
}

static void judge_end(const Checker *checker, Text *output, const char *errors_path, int status, Outcome *outcome) {
  Text errors;
  text_init(&errors, NULL);
  file_read(&errors, errors_path, FILE_MOST_DATA, NULL);
  if (WIFSIGNALED(status)) {
    text_clear(&errors);
    text_format(&errors, "signal %d", WTERMSIG(status));
    give(outcome, ANSWER_CRASHED, errors.data);
  } else if (WEXITSTATUS(status) == 2) {
    give(outcome, ANSWER_REFUSED, errors.data);
  } else {
    judge_output(checker, output, WEXITSTATUS(status), outcome);
  }
  text_free(&errors);
}

static void run(const Checker *checker, const Arguments *arguments, Outcome *outcome) {
  int ends[2];
  Text output, errors_path;
  text_init(&output, NULL);
  path_in(checker, "errors", &errors_path);
  pid_t child = -1;
  if (pipe2(ends, O_CLOEXEC) == 0) {
    child = start(arguments, ends[1], errors_path.data);
    close(ends[1]);
    if (child < 0) close(ends[0]);
  }
  if (child < 0) {
    give(outcome, ANSWER_CRASHED, strerror(errno));
  } else {
    bool ended = read_output(ends[0], checker->time_limit + GRACE, &output);
    if (!ended) kill(-child, SIGKILL);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (ended) {
      judge_end(checker, &output, errors_path.data, status, outcome);
    } else {
      give(outcome, ANSWER_CRASHED, "does not end");
    }
  }
  text_free(&output);
  text_free(&errors_path);
}

bool checker_refuses(const Checker *checker, const char *formula) {
  Text file;
  path_in(checker, "program.c", &file);
  Arguments arguments = {.count = 0};
  const char *const words[] = {checker->heddle, "show", "cells", file.data, "--ltl", formula};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) argument(&arguments, words[i]);
  Outcome outcome; // `show` prints no answer: only a refusal is looked at
  run(checker, &arguments, &outcome);
  text_free(&file);
  return outcome.answer == ANSWER_REFUSED;
}

void checker_run(const Checker *checker, const Configuration *configuration, Outcome *outcome) {
  Text file;
  path_in(checker, configuration->engine && !wants_source(checker) ? "program.bc" : "program.c", &file);
  Text result;
  path_in(checker, result_name, &result);
  unlink(result.data); // of the check before
  Arguments arguments;
  arguments_init(&arguments, checker, configuration, file.data);
  if (configuration->engine) {
    argument(&arguments, "--quiet");
    argument(&arguments, "--json");
    argument(&arguments, result.data);
  }
  run(checker, &arguments, outcome);
  arguments_free(&arguments);
  text_free(&result);
  text_free(&file);
}
