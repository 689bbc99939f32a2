// A thread that waits for ever is not stopped for ever, and so the execution counts: inside a section that could never
// be finished behind the wait (-DDEAD_END); before a section that can be entered again and again, and again and again
// cannot (-DAGAIN); and as long as no thread changes what is asked for before the wait (-DCHANGED).
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

pthread_mutex_t held;
int x = 1, done;

void *waits(void *argument) {
#if defined DEAD_END
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&held);
  __VERIFIER_assume(0);
  __VERIFIER_atomic_end();
#elif defined AGAIN
  if (__VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x == 1);
    __VERIFIER_atomic_end();
  }
#else
  __VERIFIER_atomic_begin();
  if (x)
    pthread_mutex_lock(&held);
  else
    __VERIFIER_assume(0);
  __VERIFIER_atomic_end();
#endif
  done = 1;
  return 0;
}

void *changes(void *argument) {
  x = 0;
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_mutex_lock(&held);
  pthread_create(&one, 0, waits, 0);
#ifdef CHANGED
  pthread_create(&other, 0, changes, 0);
#endif
  while (1) {
#ifdef AGAIN
    x = 1;
    x = 0;
#endif
  }
}
