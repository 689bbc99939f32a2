// For each edge of a program: its statement in the source, and its part in that statement. The writer and the validator
// of witnesses both use this map, so that they agree on when an execution passes a waypoint.
//
// An edge begins its statement if some path reaches it over a backward edge, or without another edge of the same
// statement and function directly before it. Calls are inlined: the edges of a callee do not count as edges between
// two edges of the caller. If some paths say that the edge begins its statement and others do not, it does.
//
// Invariants: `statements` has one row per file; an edge with a statement has a file; `call` is set only for edges with
// a statement. The program is the unreduced one (one step per edge). The map points to the program and to the caller's
// file names, which must outlive it; it owns the rest.
//
// Limit: a step whose file cannot be read, or that comes before the first statement of its file, has no statement.
#ifndef HEDDLE_WITNESS_EVENT_MAP_H
#define HEDDLE_WITNESS_EVENT_MAP_H

#include "program/program.h"
#include "witness/statements.h"

#include <assert.h>

typedef enum BranchWay { BRANCH_NONE, BRANCH_TRUE, BRANCH_FALSE } BranchWay;

typedef struct EdgeEvent {
  uint32_t file;      // in EventMap.files, or NO_ID: no place in a file that can be read
  uint32_t statement; // of that file, or NO_ID
  bool begins;        // the edge begins the statement
  bool input;         // a call of an input function: its result is chosen here
  bool creates;       // creates a thread
  SourcePoint call;   // right parenthesis of the call, for `input` and `creates`; line 0: none
  BranchWay way;      // BRANCH_NONE: the edge does not leave the condition of an if or a loop
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

// May two names mean the same file? Only the last components are compared: a witness may come from another machine.
bool same_file(const char *a, const char *b);
// The file of the map that a name most likely means: the same name, else the same end of the path, else the same last
// component. NO_ID: none.
uint32_t event_map_file(const EventMap *map, const char *name);
static inline SourcePoint event_map_start(const EventMap *map, const EdgeEvent *event) {
  assert(event->file < map->statements.count && event->statement != NO_ID);
  return statements_start(&map->statements.data[event->file], event->statement);
}

#endif
