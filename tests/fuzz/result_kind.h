// Why a check of Heddle was UNKNOWN: read from the result that it wrote as JSON. (A file of its own: the comparison has
// answers beside those of results.)
#ifndef HEDDLE_FUZZ_RESULT_KIND_H
#define HEDDLE_FUZZ_RESULT_KIND_H

#include "base/text.h"

typedef enum ResultKind {
  RESULT_HONEST,      // or there is no such file
  RESULT_IN_DOUBT,    // the judge tries no wide inputs, so it does not know whether a violation is one
  RESULT_UNCONFIRMED, // the judge has refused a counterexample
  RESULT_FAILED       // an engine crashed, a check of ours failed, or the file cannot be read (a line in `error`)
} ResultKind;

ResultKind result_kind_read(const char *path, Text *error);

#endif
