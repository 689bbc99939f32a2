// Violation witnesses of SV-COMP, formats 2.0 to 2.2, as read from a file: segments of waypoints.
//
// A witness is a sequence of segments. A segment is any number of waypoints to avoid, followed by one waypoint to
// follow. The waypoint to follow of the last segment is a target; for a data race (format 2.2) it may have two targets,
// in any order. Thread ids (format 2.2) are numbers: 0 is main, and k is the thread that is created at the k-th
// `function_enter` waypoint on a call that creates a thread. If a witness has no such waypoints, its threads are
// numbered in the order of their creation.
//
// Invariants of a witness that was read: it has at least one segment (if it is a violation witness), each segment has a
// waypoint to follow, and only the last one has targets. The witness owns its texts (in `arena`); witness_free is also
// needed after witness_read has failed. Correctness witnesses are recognised, but their invariants are not read.
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

typedef struct Waypoint {
  WaypointType type;
  bool avoid;
  const char *constraint; // NULL: none
  bool format_unknown;    // the format of the constraint is not known, so it is not read
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

// Reads the text of a witness file. False with one line in `error` that says what is wrong and in which line. Unknown
// keys are ignored, with a line each in `notes`.
bool witness_read(Witness *witness, const char *text, size_t length, Text *error, Text *notes, Account *account);
void witness_free(Witness *witness);

#endif
