// What is sure of the pointers in registers and of what functions return, for the whole program.
//
// At first everything is taken for sure; then functions are walked until nothing has to be taken back: a parameter is
// as sure as the least sure argument of all calls, a result as the least sure value that is returned. A function that
// something else than a call in the program may run (main, an entry, a handler, outside code) knows nothing of its
// parameters.
//
// Direction of the facts: must.
#ifndef HEDDLE_SURVEY_MEMORY_POINTER_VALUES_H
#define HEDDLE_SURVEY_MEMORY_POINTER_VALUES_H

#include "survey/memory/known.h"
#include "survey/survey_facts.h"

// Bits of what is sure.
enum {
  // It is NULL or an address that the program made from an object or a function: no other number, and not
  // indeterminate.
  VALUE_GENUINE = 1,
  VALUE_NOT_NULL = 2,
  // The automatic and thread-local objects that it may refer to live: it was computed from their names here, or in
  // functions that wait for this one to return.
  VALUE_LASTING = 4,
  VALUE_COUNTED = 8, // a number, plus 1, that is not the largest of its type: it did not wrap
  VALUE_SURE = 15
};

typedef struct PointerValues {
  const SurveyFacts *facts;
  ByteVector registers; // bits
  ByteVector results;   // per function: bits
  Bitset waiting;       // functions to be walked again
  Bitset permanent;     // registers that refer to no automatic or thread-local object
  U32Vector first_call; // per function: in `calls`; 0: none
  U32Vector calls;      // pairs: the calling function, the next one
  Known known;
} PointerValues;

void pointer_values_init(PointerValues *values, const SurveyFacts *facts, const uint32_t *entries, size_t entry_count);
void pointer_values_free(PointerValues *values);
bool pointer_values_find(PointerValues *values); // false: the deadline has passed

// At a place where this is known.
uint8_t pointer_value(const PointerValues *values, const Known *known, CodeOperand operand);

#endif
