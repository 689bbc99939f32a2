// Transitions: the edges of a program as functions on states, in terms.
//
// A state is a value for every state variable: the thread variables, the cells, and for each object that may not exist
// its life (program/facts/life.h). A transition says, over the state before it and its own fresh variables, under which
// condition the edge can be taken (`guard`) and the new values of the state variables that it changes. The steps of a
// large block are composed. A dereference is a case split over the places that the pointer may point to; if it points
// to none of them the guard is false, because the execution ends there. If the address may lie in an object that the
// static facts did not foresee, `missed` says when.
//
// The location of a thread is not part of the state but of the control vector. So is whether a thread is started: its
// first step (START) is part of its creation. If only an error can follow an edge, this error is the end of the edge.
//
// Accesses are may-sets of cells (the lives of objects come after the cells), for independence.
#ifndef HEDDLE_TRANSITION_TRANSITION_H
#define HEDDLE_TRANSITION_TRANSITION_H

#include "base/map.h"
#include "dependence/touch_source.h"
#include "transition/touch.h"

typedef struct Update {
  Term variable, value;
} Update;
VECTOR(UpdateVector, Update);

typedef enum TransitionEnd { ENDS_NOT, ENDS_IN_ERROR, ENDS_IN_CUT, ENDS_THE_PROCESS } TransitionEnd;

typedef struct Transition {
  Term guard;
  Term first_guard;                    // the guard of the first step alone
  Term open;                           // the thread can take it, or gets to a step that waits and cannot be taken yet
  Term missed;                         // it dereferences a pointer that was not foreseen; TERM_NONE: never
  uint32_t first_update, update_count; // ranges in Transitions
  uint32_t first_fresh, fresh_count;
  TouchSet reads, writes;
  TransitionEnd end;
  bool waits;                        // a step waits for something: a lock, a join
  bool others_may_enable;            // other threads may enable it: it waits, or its guard mentions a shared cell
  CutId cut;                         // ENDS_IN_CUT
  uint32_t first_birth, birth_count; // the threads that it creates: a range in Transitions
  EdgeId then; // the edge of an error or cut that always follows and is part of this transition; NO_ID: none
} Transition;
VECTOR(TransitionVector, Transition);

// What a thread may do next at a location: the union over its edges.
typedef struct Action {
  TouchSet reads, writes;
  bool local; // no edge touches a shared cell, creates a thread, ends the process or waits
  bool loops; // an edge goes back
} Action;
VECTOR(ActionVector, Action);

typedef struct Transitions {
  const Program *program;
  TransitionVector edges; // per edge
  ActionVector actions;   // per location
  UpdateVector updates;
  TermVector fresh;
  U32Vector births;
  TouchVector touches;
  Term *alive;          // per object: its life; TERM_NONE: it always exists
  uint32_t state_limit; // term variables with a smaller index are state variables
  Account *account;
} Transitions;

void transitions_init(Transitions *t, Program *program, Account *account);
void transitions_free(Transitions *t);

// The initial value of a state variable: a constant, or TERM_NONE: any value.
Term transitions_initial(const Transitions *t, Term variable);
// The formula is over the state before the edge and holds for all values of its parameters (reach/domains/domain.h).
// Returns it together with its instances for the edge's own fresh variables.
Term transitions_instances(const Transitions *t, EdgeId edge, Term formula);
// The condition, over the state before the edge, under which an access of the edge and one of another thread's action
// touch the same cell and one of the two writes.
Term transitions_conflict(const Transitions *t, EdgeId edge, LocationId location);
// The touches of all edges, for reductions: things are the cells, and behind them the lives of the objects.
TouchSource transitions_touches(const Transitions *t);
// The threads that an edge creates, in a program of at most MOST_MASKED_THREADS.
ThreadMask transitions_births(const Transitions *t, EdgeId edge);

#endif
