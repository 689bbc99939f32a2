// Loops that count: `for (i = start; i < bound; i++)`, in a function that is executed once.
//
// All facts are must: the numbers from `start` to `bound` are those of the rounds, one after the other; the loop is
// entered at most once; if it is left at its header, all rounds were done.
#ifndef HEDDLE_SURVEY_FLOW_COUNTED_LOOPS_H
#define HEDDLE_SURVEY_FLOW_COUNTED_LOOPS_H

#include "survey/survey_facts.h"

typedef struct CountedLoop {
  uint32_t header; // block
  uint32_t number; // register: i
  CodeOperand start, bound;
  bool once; // the function is executed at most once; else its executions in one thread are one after the other
} CountedLoop;

// The loop that the statement is in, if it counts and is no part of another loop.
bool counted_loop_of(SurveyFacts *facts, uint32_t statement, CountedLoop *loop);
bool counted_loop_same_numbers(const CountedLoop *a, const CountedLoop *b);
// At most, at least once in each round.
bool counted_loop_at_most_once(const SurveyFacts *facts, const CountedLoop *loop, uint32_t statement);
bool counted_loop_each_round(const SurveyFacts *facts, const CountedLoop *loop, uint32_t statement);

// Is the function left only by the exit of the loop's header, once the statement was executed?
bool counted_loop_must_end(const SurveyFacts *facts, const CountedLoop *loop, uint32_t statement);

// The element with the number of the round: at base + offset + i * stride. The base does not change.
typedef struct CountedElement {
  CodeOperand base;
  int64_t offset;
  uint64_t stride;
} CountedElement;
bool counted_loop_element(const SurveyFacts *facts, const CountedLoop *loop, CodeOperand address,
                          CountedElement *element);
bool counted_loop_same_element(const CountedElement *a, const CountedElement *b);

#endif
