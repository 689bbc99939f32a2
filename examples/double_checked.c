// Double-checked locking: create an object once, when it is first needed, and take the lock only then.
//
//   heddle check examples/double_checked.c                          result: SAFE
//   heddle check --property no-data-race examples/double_checked.c  result: SAFE
//   heddle check examples/double_checked.c -- -DPUBLISH_EARLY       result: UNSAFE
//
// The pointer is atomic, and it is stored only after the object is complete: a thread that sees the pointer sees the
// object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct settings {
  int volume;
};

static struct settings *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int created; // under the lock

static struct settings *get_settings(void) {
  struct settings *found = atomic_load(&instance);
  if (found != NULL)
    return found; // the fast path: no lock
  pthread_mutex_lock(&lock);
  found = atomic_load(&instance); // another thread may have been faster
  if (found == NULL) {
    found = calloc(1, sizeof *found);
    created++;
#ifdef PUBLISH_EARLY
    atomic_store(&instance, found);
    found->volume = 11;
#else
    found->volume = 11;
    atomic_store(&instance, found);
#endif
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static void *listener(void *unused) {
  (void)unused;
  assert(get_settings()->volume == 11);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, listener, NULL);
  assert(get_settings()->volume == 11);
  pthread_join(thread, NULL);
  assert(created == 1);
  free(instance);
  return 0;
}
