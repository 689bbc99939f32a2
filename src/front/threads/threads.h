// What other threads, signals and formulas do to a thread: cancellation points, interruptions by signal handlers, and
// the observers that evaluate the atoms of a formula.
//
// Interruptions and observers are lowered after the code of all threads, because only then all signals and all control
// blocks are known. A handler may install further handlers and create threads; so front_lower repeats both until
// nothing is new.
#ifndef HEDDLE_FRONT_THREADS_THREADS_H
#define HEDDLE_FRONT_THREADS_THREADS_H

#include "front/lower/lower.h"

// --- cancel.c ---
// Called before a call of the library function `name`: if that is a cancellation point, the request is acted on here.
void cancel_before_call(Lowering *l, const char *name);

// --- interrupt.c: signals and their handlers ---
void lower_installs(Lowering *l, LLVMValueRef call);
void lower_run_handler(Lowering *l, LLVMValueRef call);
void lower_leave_handler(Lowering *l, LLVMValueRef call);
void lower_others_accept(Lowering *l, LLVMValueRef call);
void lower_accept_answers(Lowering *l);                // completes all calls of __heddle_others_accept
void interrupt_inherit(Lowering *l, uint64_t control); // a new thread blocks the signals that its creator blocks
void interrupt_end(Lowering *l);                       // a thread that ends accepts no signal
// Lowers the interruptions of all threads, as far as they are known; false if nothing was new.
bool lower_interrupts(Lowering *l);

// --- observer.c ---
// Adds one thread, which no step creates, for each atom of a formula: its result is the value of the atom.
void lower_observers(Lowering *l);

#endif
