// Thread-specific data: pthread keys and C11's tss_t. Destructors run in thread_end.c.
//
// Exact up to 8 keys created by the whole program, or HEDDLE_KEYS if it calls the function at more places or in a loop;
// the next one ends with UNKNOWN. Numbers of deleted keys
// are not handed out again. Assumed: keys are used only while they exist.
#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"
#include "thread_storage.h"
#include "user_data.h"

#include <pthread.h>
#include <threads.h>

unsigned __heddle_key_count = 0;
void (*__heddle_key_destructor[HEDDLE_KEYS])(void *) = {0};
_Thread_local void *__heddle_key_value[HEDDLE_KEYS] = {0};

static void create_key(unsigned *key, void (*destructor)(void *)) {
  __heddle_atomic_begin();
  unsigned number = __heddle_key_count;
  if (number < __heddle_key_limit()) {
    __heddle_key_count = number + 1;
    __heddle_key_destructor[number] = destructor;
  }
  __heddle_atomic_end();
  if (number >= __heddle_key_limit()) __heddle_unmodelled("more than 8 thread-specific keys at few places, or than 32 keys");
  HEDDLE_PLAIN(store_unsigned)(key, number);
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  create_key(key, destructor);
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= HEDDLE_KEYS) return EINVAL;
  __heddle_key_destructor[key] = NULL;
  return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= HEDDLE_KEYS) return EINVAL;
  __heddle_key_value[key] = (void *)value;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) { return key < HEDDLE_KEYS ? __heddle_key_value[key] : NULL; }

int tss_create(tss_t *key, tss_dtor_t destructor) {
  create_key(key, destructor);
  return thrd_success;
}

void tss_delete(tss_t key) {
  if (key < HEDDLE_KEYS) __heddle_key_destructor[key] = NULL;
}

int tss_set(tss_t key, void *value) {
  if (key >= HEDDLE_KEYS) return thrd_error;
  __heddle_key_value[key] = value;
  return thrd_success;
}

void *tss_get(tss_t key) { return key < HEDDLE_KEYS ? __heddle_key_value[key] : NULL; }
