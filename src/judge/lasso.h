// The judge of formulas: executes a lasso, a schedule whose last steps are a loop, on the unreduced program.
//
// Executions are infinite. If no thread is enabled, or the process has ended (also by an error), the last state is
// repeated for ever. An execution does not count if a false assumption, an invalid dereference or a division by zero
// disables a thread for ever.
//
// A formula reads the initial state and the states after steps, with two exceptions: states inside atomic sections, and
// the state after the first step of a thread, which belongs to its creation. If the process ends inside a section, its
// last state is read. A thread that was created and has not taken its first step counts as being at the location after
// that step. A thread that was not created is at no location.
//
// A violation is confirmed if all of these hold:
//   - The schedule can be executed, and then its loop once more.
//   - The loop closes: the states at its beginning and its end agree (influence.h), so it can be repeated for ever.
//   - The execution is maximal: if the loop has no steps, no thread is enabled.
//   - No thread is disabled for ever by an assumption or an invalid operation.
//   - If fairness is asked for: each thread takes a step in the loop or is not enabled at some point of it.
//   - By the definition of LTL (ltl_holds) the formula is false on the observed word.
// In doubt nothing is confirmed. Such doubts are: a step that depends on inputs too wide to be tried, an atom over
// memory that may hold any value, and a cut in the execution.
#ifndef HEDDLE_JUDGE_LASSO_H
#define HEDDLE_JUDGE_LASSO_H

#include "judge/judge.h"
#include "ltl/ltl_property.h"

// Fills `trace` (initialised by the caller, or NULL) with the stem and one round of the loop, and replaces `message` by
// one line: the violation, or why there is none.
JudgeOutcome replay_lasso(const Program *program, const LtlProperty *ltl, const Schedule *schedule, Trace *trace,
                          Text *message, Account *account);

#endif
