// Parts of the judge's messages, with source positions and thread names. Each function appends to `out`, without a line
// break. Tests and users' scripts compare these texts.
#ifndef HEDDLE_JUDGE_WORDING_H
#define HEDDLE_JUDGE_WORDING_H

#include "judge/interpreter.h"
#include "judge/vector_clocks.h"

void wording_position(Text *out, const Position *position);              // " at a.c:12", or nothing
void wording_thread(Text *out, const Program *program, ThreadId thread); // "thread 0.1 (worker)"
void wording_race(Text *out, const Program *program, const Race *race);
void wording_outcome(Text *out, const Program *program, ThreadId thread, EdgeId edge, StepOutcome outcome,
                     const StepEffect *effect);
// Behind the text of wording_outcome for a CHECK step: ": 2147483647 + 1 = 2147483648 does not fit into int". The step
// of the edge was the last one that its thread took.
// `lost`: the block, if the check is of tracking.
void wording_check(Text *out, const Concrete *state, EdgeId edge, ObjectId lost);
void wording_deadlock(Text *out, const Program *program, const Concrete *state);

#endif
