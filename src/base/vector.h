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

#define VECTOR(Name, Type)                                                                                             \
  typedef struct Name {                                                                                                \
    Type *data;                                                                                                        \
    size_t count, capacity;                                                                                            \
    Account *account;                                                                                                  \
  } Name;                                                                                                              \
  static inline void Name##_init(Name *v, Account *account) { *v = (Name){.account = account}; }                       \
  static inline void Name##_free(Name *v) {                                                                            \
    memory_free(v->account, v->data, v->capacity * sizeof(Type));                                                      \
    *v = (Name){.account = v->account};                                                                                \
  }                                                                                                                    \
  static inline void Name##_reserve(Name *v, size_t capacity) {                                                        \
    if (capacity <= v->capacity) return;                                                                               \
    size_t grown = v->capacity * 2 > 8 ? v->capacity * 2 : 8;                                                          \
    if (grown < capacity) grown = capacity;                                                                            \
    v->data = memory_resize(v->account, v->data, v->capacity * sizeof(Type), grown * sizeof(Type));                    \
    v->capacity = grown;                                                                                               \
  }                                                                                                                    \
  static inline Type *Name##_push(Name *v, Type value) {                                                               \
    Name##_reserve(v, v->count + 1);                                                                                   \
    v->data[v->count] = value;                                                                                         \
    return &v->data[v->count++];                                                                                       \
  }                                                                                                                    \
  static inline Type Name##_pop(Name *v) {                                                                             \
    assert(v->count > 0);                                                                                              \
    return v->data[--v->count];                                                                                        \
  }                                                                                                                    \
  static inline Type *Name##_at(const Name *v, size_t index) {                                                         \
    assert(index < v->count);                                                                                          \
    return &v->data[index];                                                                                            \
  }                                                                                                                    \
  static inline Type *Name##_last(const Name *v) {                                                                     \
    assert(v->count > 0);                                                                                              \
    return &v->data[v->count - 1];                                                                                     \
  }                                                                                                                    \
  /* New elements are zeroed. */                                                                                       \
  static inline void Name##_resize(Name *v, size_t count) {                                                            \
    Name##_reserve(v, count);                                                                                          \
    if (count > v->count) memset(v->data + v->count, 0, (count - v->count) * sizeof(Type));                            \
    v->count = count;                                                                                                  \
  }                                                                                                                    \
  static inline void Name##_clear(Name *v) { v->count = 0; }                                                           \
  static inline bool Name##_empty(const Name *v) { return v->count == 0; }                                             \
  typedef Type Name##_element

VECTOR(U32Vector, uint32_t);
VECTOR(U64Vector, uint64_t);
VECTOR(ByteVector, uint8_t);
VECTOR(StringVector, const char *);

#endif
