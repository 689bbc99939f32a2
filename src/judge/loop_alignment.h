// Lassos of large blocks, made to fit single steps.
//
// Engines execute blocks: what is local, and one visible step. A thread whose visible step must wait does not begin
// such a block, so a lasso may leave it before the local part, which it could always execute. Here that part is put
// before the loop, for each thread that does not move in the loop: nobody sees it, and then the thread stands where it
// waits.
//
// Engines also leave out what is always written before it is read. The first round of a loop may then start with
// another value than the later ones, or every second one; so rounds are put before the loop, and together, until it
// closes.
#ifndef HEDDLE_JUDGE_LOOP_ALIGNMENT_H
#define HEDDLE_JUDGE_LOOP_ALIGNMENT_H

#include "verdict/schedule.h"

// A copy of the lasso with such rounds, and with `blocks` also with local steps of threads that do not move in the
// loop: those that need no choice and change no place that formulas see. What cannot be executed is copied as it is:
// judging is for others.
Schedule *lasso_align_loop(const Program *program, const Schedule *lasso, bool blocks, Account *account);

#endif
