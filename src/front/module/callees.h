// Which functions a pointer may hold where it is called: a guess that is right for usual programs.
//
// Flow-insensitive sets of functions, one for each variable, global, parameter and result, and one for each field,
// known by the size of its struct and its offset, whatever object it is in. What is stored through other pointers may
// be found anywhere; what is read through them may be that, or what stands where an address was taken of.
//
// Direction: neither. A function that the guess leaves out is no case of a call, but a cut, so a wrong guess costs an
// answer and never makes one wrong.
#ifndef HEDDLE_FRONT_MODULE_CALLEES_H
#define HEDDLE_FRONT_MODULE_CALLEES_H

#include "front/module/unit.h"

typedef struct Callees Callees;

Callees *callees_new(const FrontUnit *unit); // `unit->taken` is known
void callees_free(Callees *callees);

// May the pointer `called`, of a call in the user's module, hold the function unit->taken[index]?
bool callees_may_call(Callees *callees, LLVMValueRef called, size_t index);
// May it be what a thread runs?
bool callees_may_start(const Callees *callees, size_t index);

#endif
