// Which functions a pointer may hold where it is called: a guess that is right for usual programs.
//
// The analysis is flow-insensitive. It computes a set of functions for each variable, global, parameter and result,
// and one for each field of a struct. A field is identified by the size of its struct and its offset, in whatever
// object it lies. A value stored through any other pointer may be found anywhere. A value read through such a pointer
// may be any of these, or what is stored in an object whose address is taken.
//
// Direction of the fact: neither may-add nor may-drop. A call through a pointer has no case for a function that the
// guess leaves out, but a cut; so a wrong guess can make an answer UNKNOWN, never wrong.
//
// Ownership: the caller of callees_new owns the result. It refers to the unit, which must outlive it.
#ifndef HEDDLE_FRONT_MODULE_CALLEES_H
#define HEDDLE_FRONT_MODULE_CALLEES_H

#include "front/module/unit.h"

typedef struct Callees Callees;

Callees *callees_new(const FrontUnit *unit); // after `unit->taken` is filled
void callees_free(Callees *callees);

// May the pointer `called`, of a call in the user's module, hold the function unit->taken[index]?
bool callees_may_call(Callees *callees, LLVMValueRef called, size_t index);
// May the function unit->taken[index] be the routine of a thread?
bool callees_may_start(const Callees *callees, size_t index);

#endif
