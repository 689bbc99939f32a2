// Searches with growing depth on one solver: bounded model checking, and its variant for lassos.
//
// The search unrolls the circuit from the initial state. Each frame has a goal literal. Frames are added in batches,
// and the solver is asked whether the goal holds in one of the open frames, which are the last ones. If not, they are
// closed: clauses exclude their goals. If the clauses have no model any more, all executions were searched.
//
// The solver gives up on a query after a number of conflicts. Then the frames stay open, and the next query is about
// them and about the next batch: a goal is often found sooner than it is shown that it is not in a frame before.
//
// After a goal was found the search can go on for the others: the frames that are open get new goals. Those that are
// closed had none.
//
// Clauses say that two threads cannot both have got far (model/least_steps.h). This holds with and without idle steps.
#ifndef HEDDLE_CIRCUIT_METHODS_DEPTH_SEARCH_H
#define HEDDLE_CIRCUIT_METHODS_DEPTH_SEARCH_H

#include "circuit/methods/method.h"
#include "circuit/model/least_steps.h"

typedef struct DepthSearch DepthSearch;

// What a kind of search adds. `context` is DepthSearch.context.
typedef struct DepthOperations {
  const char *stop_point;
  AigLiteral (*add_goal)(DepthSearch *search, void *context); // the goal of the frame just added
  // After a finding was settled (Question.tell): the goal of an open frame. NULL: the search ends with what it finds.
  AigLiteral (*goal_again)(DepthSearch *search, uint32_t frame);
  void (*define_frame)(DepthSearch *search, void *context, uint32_t frame); // makes literals known to the solver
  void (*close_frame)(DepthSearch *search, void *context, uint32_t frame);  // clauses beside that the goal is false
  uint32_t (*count_steps)(const DepthSearch *search, void *context, uint32_t goal_frame); // of the trace to keep
} DepthOperations;

struct DepthSearch {
  const DepthOperations *operations;
  void *context;
  Question *question;
  Unrolling unrolling;
  AigSat sat;
  LeastSteps least_steps;
  U32Vector goals;        // per frame
  uint32_t closed_frames; // the first ones
  bool ended;             // no thread can move in the last frame, so frames after it are not needed
  int conflict_limit;     // of the next query
  bool again;             // the same frames are searched once more, for other goals
};

void depth_search_init(DepthSearch *search, Question *question, const DepthOperations *operations, void *context);
void depth_search_free(DepthSearch *search);
// Searches until there is an answer or the budget is exhausted. A goal that is found becomes the question's trace.
MethodAnswer depth_search_run(DepthSearch *search);
// Adds the statistics of the search, and for METHOD_UNKNOWN the reason.
void depth_search_report(const DepthSearch *search, MethodAnswer answer, uint32_t depth);

#endif
