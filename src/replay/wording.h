// One-line messages of the judge, with source positions and thread names.
#ifndef HEDDLE_REPLAY_WORDING_H
#define HEDDLE_REPLAY_WORDING_H

#include "replay/chooser.h"
#include "replay/clocks.h"
#include "replay/interpreter.h"

void wording_position(Text *out, const Position *position);              // " at a.c:12", or nothing
void wording_thread(Text *out, const Program *program, ThreadId thread); // "thread 0.1 (worker)"
void wording_race(Text *out, const Program *program, const Race *race);
void wording_outcome(Text *out, const Program *program, ThreadId thread, EdgeId edge, StepOutcome outcome,
                     const StepEffect *effect);
// A value that was not enumerated: "32 bits of x at a.c:12 in main".
void wording_sampled(Text *out, const Program *program, const SampledChoice *choice);
// What a user may try, for such a value.
void wording_remedy(Text *out, const Program *program, const SampledChoice *choice);
// Names the threads that wait, and where.
void wording_deadlock(Text *out, const Program *program, const Concrete *state);

#endif
