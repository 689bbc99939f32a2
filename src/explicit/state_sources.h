// Where the states of a search come from: which choice of values multiplies them, or at which line most of them are.
//
// When time runs out, this is what a user can act on. A state counts for the choice of values that led to it, unless
// that was the first one that is possible there; and for the line at which the thread that moved stands then.
#ifndef HEDDLE_EXPLICIT_STATE_SOURCES_H
#define HEDDLE_EXPLICIT_STATE_SOURCES_H

#include "base/vector.h"
#include "program/program.h"

typedef struct StateSources {
  const Program *program;
  uint64_t states;
  U32Vector chosen_at;  // per step: new states that another value chosen there led to
  U32Vector line_of;    // location -> its line: index into the next two
  U32Vector first_step; // of each line, some step of it
  U64Vector reached_at; // new states at that line
} StateSources;

void state_sources_init(StateSources *sources, const Program *program, Account *account);
void state_sources_free(StateSources *sources);
// A new state, in which the thread that moved stands at `location`. `chosen_at`: the step that has chosen another value
// than the first one, or NO_ID.
void state_sources_count(StateSources *sources, LocationId location, StepId chosen_at);
// Appends ", most of which ... at FILE:LINE", if one line stands out.
void state_sources_tell(const StateSources *sources, Text *out);

#endif
