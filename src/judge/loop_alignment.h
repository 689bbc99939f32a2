// Changing a lasso that an engine found so that the judge of formulas can confirm it.
//
// Engines execute large blocks: local steps and one visible step. A thread whose visible step is blocked does not begin
// such a block, so in the lasso it may be at a location before local steps that it could take at any time. There it is
// enabled for ever, which is not fair. So these local steps are added before the loop, for each thread that takes no
// step in the loop. No other thread can observe them, and after them the thread is at the step that is blocked.
//
// Engines also leave out variables that are always written before they are read. Such a variable may have one value at
// the beginning of the first round of the loop and another one in later rounds, or two values in turn. So rounds of the
// loop are moved to the stem, and several rounds are made one loop, until the loop closes.
//
// Nothing is judged here: the result may still be rejected. Limits: 10000 local steps per thread, 8 rounds.
#ifndef HEDDLE_JUDGE_LOOP_ALIGNMENT_H
#define HEDDLE_JUDGE_LOOP_ALIGNMENT_H

#include "verdict/schedule.h"

// Returns a changed copy of the lasso, which the caller owns. With `blocks`, local steps are added too: those that need
// no choice and do not change the bits that formulas observe of a location. If the stem cannot be executed, the copy is
// unchanged.
Schedule *lasso_align_loop(const Program *program, const Schedule *lasso, bool blocks, Account *account);

#endif
