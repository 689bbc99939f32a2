// Does an access stay in the object that its pointer was made for? (A write of a constant object does not count as one
// that stays.)
//
// Direction of the fact: must. It does not rest on the bounds of types: an index counts only if it is surely small
// enough.
#ifndef HEDDLE_SURVEY_MEMORY_BOUNDS_H
#define HEDDLE_SURVEY_MEMORY_BOUNDS_H

#include "survey/memory/pointer_values.h"

// Of `bytes` (0: any number), at a place where this is known.
bool access_in_range(const PointerValues *values, const Known *known, CodeOperand pointer, uint64_t bytes, bool writes);

// The object of the program whose name, moved by a constant, is the pointer in this function. NO_CODE_ID: it is none.
uint32_t access_named_object(const Code *code, CodeOperand pointer);

#endif
