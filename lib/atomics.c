// Atomic operations that clang leaves as calls: the generic __atomic_* functions on objects of any size, the sized
// ones (_1 to _8, and _16 for LP64), atomic_flag_* and fences as functions.
//
// Exact under sequential consistency: each is one indivisible step whatever its memory order, and fences do nothing.
// A weak compare-and-exchange may fail spuriously only where clang emits it as an instruction; here it is a strong
// one, since the library functions take no such flag.
#include "heddle.h"

#include <stdint.h>

// An access as wide as the object where there is one, else the widest words that tile it; `bytes` is nearly always a
// constant, which leaves one branch of this. May-alias types: the object can be of any type.
typedef uint16_t __attribute__((may_alias)) word2;
typedef uint32_t __attribute__((may_alias)) word4;
typedef uint64_t __attribute__((may_alias)) word8;

static void copy_object(void *to, const void *from, size_t bytes) {
  if (bytes % 8 == 0) {
    for (size_t i = 0; i < bytes / 8; i++) ((word8 *)to)[i] = ((const word8 *)from)[i];
  } else if (bytes % 4 == 0) {
    for (size_t i = 0; i < bytes / 4; i++) ((word4 *)to)[i] = ((const word4 *)from)[i];
  } else if (bytes == 2) {
    *(word2 *)to = *(const word2 *)from;
  } else {
    for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = ((const char *)from)[i];
  }
}

#define SWAP_WORDS(type)                                                                                               \
  for (size_t i = 0; i < bytes / sizeof(type); i++) {                                                                  \
    type old = ((type *)object)[i];                                                                                    \
    ((type *)object)[i] = ((const type *)value)[i];                                                                    \
    ((type *)result)[i] = old;                                                                                         \
  }

static void swap_object(void *object, const void *value, void *result, size_t bytes) {
  if (bytes % 8 == 0) {
    SWAP_WORDS(word8)
  } else if (bytes % 4 == 0) {
    SWAP_WORDS(word4)
  } else if (bytes == 2) {
    SWAP_WORDS(word2)
  } else {
    SWAP_WORDS(char)
  }
}

static int same_object(const void *one, const void *other, size_t bytes) {
  if (bytes % 8 == 0) {
    for (size_t i = 0; i < bytes / 8; i++)
      if (((const word8 *)one)[i] != ((const word8 *)other)[i]) return 0;
  } else if (bytes % 4 == 0) {
    for (size_t i = 0; i < bytes / 4; i++)
      if (((const word4 *)one)[i] != ((const word4 *)other)[i]) return 0;
  } else if (bytes == 2) {
    return *(const word2 *)one == *(const word2 *)other;
  } else {
    for (size_t i = 0; i < bytes; i++)
      if (((const char *)one)[i] != ((const char *)other)[i]) return 0;
  }
  return 1;
}

// The generic functions are builtins to clang and can only be defined under another name.
void generic_load(size_t bytes, const void *object, void *result, int order) __asm__("__atomic_load");
void generic_store(size_t bytes, void *object, const void *value, int order) __asm__("__atomic_store");
void generic_exchange(size_t bytes, void *object, const void *value, void *result,
                      int order) __asm__("__atomic_exchange");
_Bool generic_compare_exchange(size_t bytes, void *object, void *expected, const void *desired, int success,
                               int failure) __asm__("__atomic_compare_exchange");
_Bool generic_is_lock_free(size_t bytes, const volatile void *object) __asm__("__atomic_is_lock_free");

void generic_load(size_t bytes, const void *object, void *result, int order) {
  __heddle_atomic_begin();
  copy_object(result, object, bytes);
  __heddle_atomic_end();
}

void generic_store(size_t bytes, void *object, const void *value, int order) {
  __heddle_atomic_begin();
  copy_object(object, value, bytes);
  __heddle_atomic_end();
}

// `value` and `result` may be the same object, but neither is the atomic one.
void generic_exchange(size_t bytes, void *object, const void *value, void *result, int order) {
  __heddle_atomic_begin();
  swap_object(object, value, result, bytes);
  __heddle_atomic_end();
}

_Bool generic_compare_exchange(size_t bytes, void *object, void *expected, const void *desired, int success,
                               int failure) {
  __heddle_atomic_begin();
  int same = same_object(object, expected, bytes);
  if (same)
    copy_object(object, desired, bytes);
  else
    copy_object(expected, object, bytes);
  __heddle_atomic_end();
  return same;
}

_Bool generic_is_lock_free(size_t bytes, const volatile void *object) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

#define FETCHING(size, type, name)                                                                                     \
  type __atomic_fetch_##name##_##size(volatile void *object, type value, int order) {                                  \
    return __atomic_fetch_##name((type *)object, value, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                                    \
  type __atomic_##name##_fetch_##size(volatile void *object, type value, int order) {                                  \
    return __atomic_##name##_fetch((type *)object, value, __ATOMIC_SEQ_CST);                                           \
  }

#define SIZED(size, type)                                                                                              \
  type __atomic_load_##size(const volatile void *object, int order) {                                                  \
    return __atomic_load_n((const type *)object, __ATOMIC_SEQ_CST);                                                    \
  }                                                                                                                    \
  void __atomic_store_##size(volatile void *object, type value, int order) {                                           \
    __atomic_store_n((type *)object, value, __ATOMIC_SEQ_CST);                                                         \
  }                                                                                                                    \
  type __atomic_exchange_##size(volatile void *object, type value, int order) {                                        \
    return __atomic_exchange_n((type *)object, value, __ATOMIC_SEQ_CST);                                               \
  }                                                                                                                    \
  _Bool __atomic_compare_exchange_##size(volatile void *object, void *expected, type desired, int success,             \
                                         int failure) {                                                                \
    return __atomic_compare_exchange_n((type *)object, (type *)expected, desired, 0, __ATOMIC_SEQ_CST,                 \
                                       __ATOMIC_SEQ_CST);                                                              \
  }                                                                                                                    \
  FETCHING(size, type, add)                                                                                            \
  FETCHING(size, type, sub)                                                                                            \
  FETCHING(size, type, and)                                                                                            \
  FETCHING(size, type, or)                                                                                             \
  FETCHING(size, type, xor)                                                                                            \
  FETCHING(size, type, nand)

SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)

#ifdef __SIZEOF_INT128__
// Over two words, as 16-byte objects are usually two pointers or counters.
typedef unsigned __int128 __attribute__((may_alias)) word16;

word16 __atomic_load_16(const volatile void *object, int order) {
  word16 value;
  generic_load(16, (const void *)object, &value, order);
  return value;
}

void __atomic_store_16(volatile void *object, word16 value, int order) {
  generic_store(16, (void *)object, &value, order);
}

word16 __atomic_exchange_16(volatile void *object, word16 value, int order) {
  generic_exchange(16, (void *)object, &value, &value, order);
  return value;
}

_Bool __atomic_compare_exchange_16(volatile void *object, void *expected, word16 desired, int success, int failure) {
  return generic_compare_exchange(16, (void *)object, expected, &desired, success, failure);
}
#endif

// struct atomic_flag is one byte in clang's <stdatomic.h>.
_Bool atomic_flag_test_and_set(volatile void *flag) {
  return __atomic_exchange_n((uint8_t *)flag, 1, __ATOMIC_SEQ_CST);
}

_Bool atomic_flag_test_and_set_explicit(volatile void *flag, int order) { return atomic_flag_test_and_set(flag); }
void atomic_flag_clear(volatile void *flag) { __atomic_store_n((uint8_t *)flag, 0, __ATOMIC_SEQ_CST); }
void atomic_flag_clear_explicit(volatile void *flag, int order) { atomic_flag_clear(flag); }
void atomic_thread_fence(int order) {}
void atomic_signal_fence(int order) {}
