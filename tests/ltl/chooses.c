// What main waits for is chosen before it waits: a mutex that is never given back, or one that is free; with -DJOINS a
// thread that never ends, or one that does; with -DSECTION the mutex from inside a section, or nothing at all.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t taken, other;
int x, y;

void *takes(void *argument) {
#ifdef JOINS
  while (1)
    ;
#endif
  pthread_mutex_lock(&taken);
  return 0;
}

void *ends(void *argument) { return 0; }

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, takes, 0);
  pthread_create(&second, 0, ends, 0);
#if defined JOINS
  if (__VERIFIER_nondet_bool())
    pthread_join(first, 0);
  else
    pthread_join(second, 0);
#elif defined SECTION
  if (__VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&taken);
    y = 1;
    __VERIFIER_atomic_end();
  } else {
    y = 2;
  }
#else
  if (__VERIFIER_nondet_bool())
    pthread_mutex_lock(&taken);
  else
    pthread_mutex_lock(&other);
#endif
  x = 1;
  return 0;
}
