// The end of a thread. Destructors of keys run on the values that are not NULL, in up to four rounds, as long as
// destructors set new values. The end of the last thread is an exit of the process with status 0: handlers and
// destructor functions run in that thread. Assumed: within a round, key destructors run in the order of key creation,
// as in glibc.
#include "heddle.h"
#include "thread_storage.h"

#include <stdlib.h>

// One round; true if a destructor was called.
static int destroy_values(void) {
  int called = 0;
  for (unsigned key = 0; key < __heddle_key_limit(); key++) {
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
  if (__heddle_was_last_thread()) exit(0);
  __heddle_thread_exit(result);
}
