// The judge of formulas: runs a lasso, a schedule whose last steps are a loop, against the unreduced program.
//
// An execution is infinite. Where nobody can go on, or the process has ended, the last state goes on for ever; so does
// it where an error ended the process. It does not count as an execution if a thread can never go on because of a false
// assumption, an invalid dereference or a division by zero.
//
// A formula reads the states after steps, and the first one; not those inside atomic sections, and not those after the
// first step of a thread, which belongs to its creation. Where the process ended inside a section, its last state is
// read: the section ends with it. A thread that was created counts as standing behind its first step; nobody else is
// anywhere before it.
//
// What is confirmed:
//   - the schedule can be executed, and its loop once more;
//   - the loop closes: where it starts and where it ends, threads stand at the same locations, and everything that the
//     program's conditions, addresses and the formula's atoms depend on is the same, as far as it is read again. So it
// can go
//     on like that for ever;
//   - it is maximal (a loop without steps: nobody can take a step), nobody is stopped for ever by an assumption, and,
// if
//     fairness is asked for, each thread moves in the loop or cannot move at some point of it;
//   - the formula is false on the word of what was observed, by its definition (ltl_holds).
// In doubt nothing is confirmed: a step that depends on inputs too wide to be tried, an atom over memory that holds any
// value, a limit of the model on the way.
#ifndef HEDDLE_JUDGE_LASSO_H
#define HEDDLE_JUDGE_LASSO_H

#include "judge/judge.h"
#include "ltl/property.h"

// Fills `trace` (may be NULL; stem and loop, once) and `message` (what is violated, or what is wrong, one line).
JudgeOutcome replay_lasso(const Program *program, const LtlProperty *ltl, const Schedule *schedule, Trace *trace,
                          Text *message, Account *account);

#endif
