// A finding: a confirmed violation by what tells it from others, so that one run can list several.
//
// Two violations of a property are the same finding if they have the same kind and the same places:
//   a data race                the two accesses, in either order, and the object, which is its goal
//   a deadlock                 the places at which threads wait for locks; if none waits for a lock, at which they wait
//   an error, a failing step   the step
// A place is a file and a line. A violation of a formula has no places.
//
// `goals` names the goals of the property (goals.h) that the violation decides.
//
// Invariant: the places are sorted, and each is there once. A finding owns its strings.
#ifndef HEDDLE_VERDICT_FINDING_H
#define HEDDLE_VERDICT_FINDING_H

#include "base/arena.h"
#include "verdict/property.h"
#include "verdict/violation.h"

struct cJSON; // a parsed value (verdict/json.h)

typedef struct FindingPlace {
  const char *file;
  uint32_t line;
} FindingPlace;
VECTOR(FindingPlaceVector, FindingPlace);

typedef struct Finding {
  ViolationKind kind; // VIOLATION_NONE: there is none
  FindingPlaceVector places;
  StringVector goals;
  Arena arena;
} Finding;

void finding_init(Finding *finding, ViolationKind kind);
void finding_free(Finding *finding);
// A position without a file or a line is no place, and is not added.
void finding_add_place(Finding *finding, const char *file, uint32_t line);
void finding_add_goal(Finding *finding, const char *goal);
bool finding_is_same(const Finding *a, const Finding *b);

// Settles the finding in the prepared program (program/settled.h), so that it is not found again. False if it cannot
// be: it has no places, or more than its kind may have.
bool finding_settle(const Finding *finding, Program *program);

void finding_write_json(const Finding *finding, Text *out);
void finding_add_members(const Finding *finding, Text *out); // without the braces around them
// Fills the finding, which is empty. False, with one line in `error`, for what is no finding.
bool finding_read_json(const struct cJSON *object, Finding *finding, Text *error);

#endif
