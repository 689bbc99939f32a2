// The end of a thread whose program uses keys: destructors run on the values that are not NULL, in up to four rounds,
// as long as destructors set new values. Assumed: within a round, they run in the order of key creation, as in glibc.
#include "heddle.h"
#include "thread_storage.h"

// One round; true if a destructor was called.
static int destroy_values(void) {
  int called = 0;
  for (unsigned key = 0; key < HEDDLE_KEYS; key++) {
    void *value = __heddle_key_value[key];
    if (!value) continue;
    void (*destructor)(void *) = __heddle_key_destructor[key];
    if (!destructor) continue;
    __heddle_key_value[key] = NULL;
    destructor(value);
    called = 1;
  }
  return called;
}

_Noreturn void __heddle_thread_end(void *result) {
  for (int round = 0; round < HEDDLE_DESTRUCTOR_ROUNDS; round++)
    if (!destroy_values()) break;
  __heddle_thread_exit(result);
}
