// The life of a dynamic object as one word, for engines that work with terms: 0 while the object does not live. While
// it lives the word is 1, or, if its ALLOCATE step decides its size (Object.sized), 1 + the number of its bytes.
#ifndef HEDDLE_PROGRAM_FACTS_LIFE_H
#define HEDDLE_PROGRAM_FACTS_LIFE_H

#include "base/bitset.h"
#include "program/program.h"

unsigned life_width(const Object *object);
Term life_none(const Program *p, const Object *object);
// The life after an ALLOCATE step; `bytes` is its operand, TERM_NONE for an object that is not sized.
Term life_begun(const Program *p, const Object *object, Term bytes);
Term life_is_there(const Program *p, const Object *object, Term life);
// Does the object, while its life is `life`, have all bytes of the access at `offset`?
Term life_allows(const Program *p, const Object *object, Term life, const Access *access, uint64_t offset);

// The dynamic objects whose life another thread than the one that begins and ends it may depend on: heap blocks, and
// objects on a stack that a thread other than their owner may access. May-add. The caller frees the set.
void life_shared_objects(const Program *p, Bitset *objects, Account *account);

#endif
