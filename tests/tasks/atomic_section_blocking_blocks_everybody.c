// A thread waits, inside an atomic section, for a mutex that main holds.
// Safe: whether the section is not entered before it can be finished, or blocks all threads, the middle is not seen.
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *blocking(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
  pthread_mutex_lock(&m);
  x = 0;
  pthread_mutex_unlock(&m);
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, blocking, 0);
  if (x == 1)
    reach_error();
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
