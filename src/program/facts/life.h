// The life of a dynamic object as one word, for engines that work with terms: 0 while it is not there, and then 1, or for
// an object of a size that its ALLOCATE step decides (Object.sized) 1 + the number of its bytes.
#ifndef HEDDLE_PROGRAM_FACTS_LIFE_H
#define HEDDLE_PROGRAM_FACTS_LIFE_H

#include "program/program.h"

unsigned life_width(const Object *object);
Term life_none(const Program *p, const Object *object);
// After an ALLOCATE step with that operand, evaluated; TERM_NONE for an object that is not sized.
Term life_begun(const Program *p, const Object *object, Term bytes);
Term life_is_there(const Program *p, const Object *object, Term life);
// Is the access to `bytes` at `offset` valid, as far as the object's life goes?
Term life_allows(const Program *p, const Object *object, Term life, const Access *access, uint64_t offset);

#endif
