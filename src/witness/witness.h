// Violation witnesses of SV-COMP, format 2.0 to 2.2, as read from a file: segments of waypoints.
//
// A witness is a sequence of segments; a segment is any number of waypoints to avoid and one to follow; the last one
// follows a target (for a data race of format 2.2: two targets, in any order). Thread ids (2.2) are numbers: 0 is main,
// k is the thread that the k-th `function_enter` waypoint on a thread-creating call created; a witness without such
// waypoints numbers threads in the order of their creation.
#ifndef HEDDLE_WITNESS_WITNESS_H
#define HEDDLE_WITNESS_WITNESS_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"
#include "witness/statements.h"

// X(NAME, text)
#define WAYPOINT_TYPES(X)                                                                                              \
  X(ASSUMPTION, "assumption")                                                                                          \
  X(BRANCHING, "branching")                                                                                            \
  X(FUNCTION_ENTER, "function_enter")                                                                                  \
  X(FUNCTION_RETURN, "function_return")                                                                                \
  X(TARGET, "target")
typedef enum WaypointType {
#define X(name, text) WAYPOINT_##name,
  WAYPOINT_TYPES(X)
#undef X
      WAYPOINT_TYPE_COUNT
} WaypointType;
const char *waypoint_type_text(WaypointType type);

typedef struct Waypoint {
  WaypointType type;
  bool avoid;
  const char *constraint; // NULL: none
  bool foreign;           // its format is not known: what it says is not known either
  const char *file;
  SourcePoint at;       // column 0: not given
  const char *function; // NULL: not given
  int32_t thread;       // -1: not given
  unsigned yaml_line;   // for messages
} Waypoint;
VECTOR(WaypointVector, Waypoint);

typedef struct Segment {
  uint32_t first, avoid_count, follow_count; // in Witness.waypoints: those to avoid, then those to follow
} Segment;
VECTOR(SegmentVector, Segment);

typedef struct HashedFile {
  const char *name, *hash;
} HashedFile;
VECTOR(HashedFileVector, HashedFile);

typedef enum WitnessKind { WITNESS_VIOLATION, WITNESS_CORRECTNESS } WitnessKind;

typedef struct Witness {
  WitnessKind kind;
  const char *format_version, *specification, *data_model, *producer;
  HashedFileVector files;
  WaypointVector waypoints;
  SegmentVector segments;
  Arena arena;
} Witness;

// Reads the text of a witness file; false with one line in `error` (what is wrong with its form, and in which line).
// Unknown keys are ignored, with a line each in `notes`.
bool witness_read(Witness *witness, const char *text, size_t length, Text *error, Text *notes, Account *account);
void witness_free(Witness *witness);

#endif
