// Suppressed places: lines of the source at which a violation of a property does not count.
//
// They are taken out of the question before the search, in the prepared program that all engines and the judge see, so
// that the search goes on to other violations or to a proof of the rest:
//   unreach-call          an error there ends the process, as a failed assertion does
//   no-data-race          an ordinary access there does not race (Access.innocent), nor does a free; an atomic access
//                         still orders threads, and races with ordinary accesses of other lines
//   valid-memsafety, no-division-by-zero
//                         execution ends there, as it does for other properties (Step.excused)
//   no-deadlock           a state in which a thread waits there is no deadlock (Step.excused)
// Formulas have no places. What was taken out is an assumption of the answer (ASSUME_SUPPRESSED), one row for each
// line. Fingerprints do not change: a schedule fits the program with and without suppressions.
#ifndef HEDDLE_VERDICT_SUPPRESS_H
#define HEDDLE_VERDICT_SUPPRESS_H

#include "verdict/property.h"

typedef struct Suppression {
  unsigned properties;  // bits 1 << Property
  const char *file;     // as positions name it, or with `pattern`: a pattern of fnmatch(3) for its path or last part
  bool pattern;         // it comes from a file of settings
  uint32_t first, last; // lines; 0 and UINT32_MAX: all
  const char *by;       // what says so: "a comment at a.c:11"
} Suppression;
VECTOR(SuppressionVector, Suppression);

// Takes the places out of `program`, which is prepared and not reduced.
void suppress_places(Program *program, Property property, const SuppressionVector *suppressions);

#endif
