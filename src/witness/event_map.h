// Where in the source each edge of a program stands, and what of a statement it is: so that writer and validator of
// witnesses agree on when an execution passes a waypoint.
//
// An edge begins its statement if it can be reached without executing another edge of the same statement in the same
// function right before it, or over a back edge. (Calls are inlined: what lies between leaving a function for a callee
// and coming back does not count.) Where paths disagree, the edge counts as a beginning.
//
// Works on the unreduced program (edges of one step).
#ifndef HEDDLE_WITNESS_EVENT_MAP_H
#define HEDDLE_WITNESS_EVENT_MAP_H

#include "program/program.h"
#include "witness/statements.h"

typedef enum BranchWay { BRANCH_NONE, BRANCH_TRUE, BRANCH_FALSE } BranchWay;

typedef struct EdgeEvent {
  uint32_t file;      // in EventMap.files, or NO_ID: no place in a file that can be read
  uint32_t statement; // of that file, or NO_ID
  bool begins;        // taking the edge begins the statement
  bool input;         // a call of an input function: its result is chosen here
  bool creates;       // creates a thread
  SourcePoint call;   // right parenthesis of the call, for `input` and `creates`; line 0: none
  BranchWay way;      // the edge leaves a condition
} EdgeEvent;

VECTOR(StatementsVector, Statements);

typedef struct EventMap {
  const Program *program;
  StringVector files; // the user's names, and the files that these include
  StatementsVector statements;
  EdgeEvent *edges;
  Account *account;
} EventMap;

void event_map_init(EventMap *map, const Program *program, const char *const *files, size_t file_count,
                    Account *account);
void event_map_free(EventMap *map);

// May two names mean the same file? Folders may differ altogether: a witness travels without them.
bool same_file(const char *a, const char *b);
// The file that is most likely meant by a name; NO_ID: none.
uint32_t event_map_file(const EventMap *map, const char *name);
static inline SourcePoint event_map_start(const EventMap *map, const EdgeEvent *event) {
  return statements_start(&map->statements.data[event->file], event->statement);
}

#endif
