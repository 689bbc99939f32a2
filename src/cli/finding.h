// What a child found, as texts, so that it can travel through a pipe as JSON: an error in the input, or a result with
// all that the command prints and writes.
#ifndef HEDDLE_CLI_FINDING_H
#define HEDDLE_CLI_FINDING_H

#include "base/text.h"

#include <stdbool.h>

// X(member)
#define FINDING_TEXTS(X)                                                                                               \
  X(error)    /* for standard error; the rest is empty then */                                                         \
  X(result)   /* Result as JSON */                                                                                     \
  X(trace)    /* of an UNSAFE result, or what `show` prints */                                                         \
  X(schedule) /* the schedule file of an UNSAFE result */                                                              \
  X(report)   /* the files of reports, if they were asked for */                                                       \
  X(witness)                                                                                                           \
  X(sarif)                                                                                                             \
  X(large) /* of a program that is inlined on demand: how large it would be otherwise */

typedef struct Finding {
#define X(member) Text member;
  FINDING_TEXTS(X)
#undef X
} Finding;

void finding_init(Finding *finding);
void finding_free(Finding *finding);
void finding_write(const Finding *finding, Text *out);
bool finding_read(Finding *finding, const Text *text); // into an empty finding; false if it is not one

#endif
