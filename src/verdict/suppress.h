// Suppressed places: lines of the source at which a violation of a property does not count.
//
// They are removed from the property before the search, in the prepared program that all engines and the judge use. So
// the search continues to other violations or to a proof for the other places:
//   unreach-call          an error there ends the process, as a failed assertion does
//   no-data-race          an ordinary access there does not race (Access.innocent), nor does a free; an atomic access
//                         still orders threads, and races with ordinary accesses of other lines
//   valid-memsafety, no-division-by-zero
//                         the execution ends there, as it does for other properties (Step.excused)
//   no-overflow, valid-memcleanup, valid-memtrack
//                         the check there does not count (Step.excused); of blocks, also where they are allocated
//   no-deadlock           a state in which a thread waits there is not a deadlock (Step.excused)
// A violation of a formula has no place, so formulas have no suppressions. Each suppressed line is an assumption of the
// answer (ASSUME_SUPPRESSED). Fingerprints do not change: a schedule fits the program with and without suppressions.
#ifndef HEDDLE_VERDICT_SUPPRESS_H
#define HEDDLE_VERDICT_SUPPRESS_H

#include "verdict/property.h"

typedef struct Suppression {
  unsigned properties; // bits 1 << Property
  const char
      *file;    // a file as positions name it; with `pattern`: a pattern of fnmatch(3) for the path or its last part
  bool pattern; // the row comes from a file of settings
  uint32_t first, last; // lines; 0 and UINT32_MAX: all
  const char *by;       // where the suppression is written: "a comment at a.c:11"
} Suppression;
VECTOR(SuppressionVector, Suppression);

// The first row that suppresses the property at the line; NULL: none does. `file` may be NULL.
const Suppression *suppressions_find(const SuppressionVector *suppressions, Property property, const char *file,
                                     uint32_t line);
// Suppresses the places in `program`, which is prepared and not reduced.
void suppress_places(Program *program, Property property, const SuppressionVector *suppressions);

#endif
