// Which step lost the last pointer to a block that leaks: for messages.
//
// The schedule is executed once more. After each step it is looked whether a pointer leads to the block from a global
// or thread-local object, from an automatic variable of a function that is active, from the argument of a thread that
// has not begun, or from another such block. The last step before which one does and after which none does lost it.
// Temporaries do not count: a block whose pointer is on its way from one variable to another is led to again later.
//
// Automatic variables are known as CHECK_SCOPE steps tell (program/check.h): a variable counts until its function
// returns, an automatic object from its first write on. What a library model keeps in variables does not count.
#ifndef HEDDLE_JUDGE_LOST_POINTER_H
#define HEDDLE_JUDGE_LOST_POINTER_H

#include "verdict/schedule.h"
#include "verdict/trace.h"

// The schedule has been executed before, to an end at which `block` lives. The steps of a trace of the schedule are
// named by their numbers.
TraceLoss lost_pointer_find(const Program *program, const Schedule *schedule, ObjectId block, Account *account);

#endif
