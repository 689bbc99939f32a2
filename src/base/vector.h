// Typed growable vectors.
//
// VECTOR(Name, Type) generates the struct Name and inline functions Name_push, Name_pop, Name_at, ... for elements of
// Type. A vector owns its array, not what elements point to. Pointers into it are valid until the next growth.
// A zeroed struct is an empty vector without an account.
#ifndef HEDDLE_BASE_VECTOR_H
#define HEDDLE_BASE_VECTOR_H

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Not every user of a vector calls every function of it.
#define VECTOR_FUNCTION static inline __attribute__((unused))

#define VECTOR(Name, Type)                                                                                             \
  typedef struct Name {                                                                                                \
    Type *data;                                                                                                        \
    size_t count, capacity;                                                                                            \
    Account *account;                                                                                                  \
  } Name;                                                                                                              \
  VECTOR_FUNCTION void Name##_init(Name *v, Account *account) { *v = (Name){.account = account}; }                     \
  VECTOR_FUNCTION void Name##_free(Name *v) {                                                                          \
    memory_free(v->account, v->data, v->capacity * sizeof(Type));                                                      \
    *v = (Name){.account = v->account};                                                                                \
  }                                                                                                                    \
  VECTOR_FUNCTION void Name##_reserve(Name *v, size_t capacity) {                                                      \
    if (capacity <= v->capacity) return;                                                                               \
    size_t grown = v->capacity * 2 > 8 ? v->capacity * 2 : 8;                                                          \
    if (grown < capacity) grown = capacity;                                                                            \
    v->data = memory_resize(v->account, v->data, v->capacity * sizeof(Type), grown * sizeof(Type));                    \
    v->capacity = grown;                                                                                               \
  }                                                                                                                    \
  VECTOR_FUNCTION Type *Name##_push(Name *v, Type value) {                                                             \
    Name##_reserve(v, v->count + 1);                                                                                   \
    v->data[v->count] = value;                                                                                         \
    return &v->data[v->count++];                                                                                       \
  }                                                                                                                    \
  VECTOR_FUNCTION Type Name##_pop(Name *v) {                                                                           \
    assert(v->count > 0);                                                                                              \
    return v->data[--v->count];                                                                                        \
  }                                                                                                                    \
  VECTOR_FUNCTION Type *Name##_at(const Name *v, size_t index) {                                                       \
    assert(index < v->count);                                                                                          \
    return &v->data[index];                                                                                            \
  }                                                                                                                    \
  VECTOR_FUNCTION Type *Name##_last(const Name *v) {                                                                   \
    assert(v->count > 0);                                                                                              \
    return &v->data[v->count - 1];                                                                                     \
  }                                                                                                                    \
  /* New elements are zeroed. */                                                                                       \
  VECTOR_FUNCTION void Name##_resize(Name *v, size_t count) {                                                          \
    Name##_reserve(v, count);                                                                                          \
    if (count > v->count) memset(v->data + v->count, 0, (count - v->count) * sizeof(Type));                            \
    v->count = count;                                                                                                  \
  }                                                                                                                    \
  VECTOR_FUNCTION void Name##_clear(Name *v) { v->count = 0; }                                                         \
  VECTOR_FUNCTION bool Name##_empty(const Name *v) { return v->count == 0; }                                           \
  typedef Type Name##_element

VECTOR(U32Vector, uint32_t);
VECTOR(U64Vector, uint64_t);
VECTOR(ByteVector, uint8_t);
VECTOR(StringVector, const char *);

#endif
