// One program, checked by one configuration of Heddle (or by a foreign command), and what came of it.
#ifndef HEDDLE_FUZZ_CHECK_H
#define HEDDLE_FUZZ_CHECK_H

#include "base/text.h"

#include <stdbool.h>

typedef enum Answer {
  ANSWER_NOT_ASKED,
  ANSWER_SAFE,
  ANSWER_UNSAFE,
  ANSWER_UNKNOWN,
  ANSWER_REFUSED, // exit status 2: the input or the options were not accepted
  ANSWER_CRASHED, // ended by a signal, no or a wrong result line, does not end, or UNKNOWN because of an internal error
  ANSWER_COUNT
} Answer;
const char *outcome_answer_text(Answer answer);

enum { MOST_REASON = 71 };
typedef struct Outcome {
  Answer answer;
  bool unconfirmed;         // a counterexample that the judge refused
  char reason[MOST_REASON]; // unless SAFE or UNSAFE
} Outcome;

typedef struct Configuration {
  const char *name;
  const char *engine;  // NULL: `command` is run instead, with the C file as its argument (then the formula, --fair)
  const char *options; // of heddle check, separated by single spaces
  const char *command; // it may leave a result as JSON, result.json beside the C file, as --json writes it
} Configuration;

enum { MOST_CONFIGURATIONS = 48 };

typedef struct Checker {
  const char *heddle; // path of the command
  const char *property;
  double time_limit;     // seconds, for one check
  const char *directory; // of this checker alone; holds program.c and program.bc
  const char *formula;   // what is checked instead of the property, on program.c, or NULL
  bool fair;
} Checker;

// Writes and compiles a program: as heddle does it, but once for all configurations. Returns false with clang's words.
// With a formula it is only written: its atoms are compiled with the program, by heddle.
bool checker_load(const Checker *checker, const char *source, Text *error);
void checker_run(const Checker *checker, const Configuration *configuration, Outcome *outcome);
// Does heddle refuse the formula as an input error, without being asked to check it?
bool checker_refuses(const Checker *checker, const char *formula);
// The command line for people, with `file` as the program.
void checker_command(const Checker *checker, const Configuration *configuration, const char *file, Text *text);

#endif
