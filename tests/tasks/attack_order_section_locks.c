// A section with a lock inside, beside a critical section of another thread.
// Safe: the section waits as a whole until the lock is free.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *s(void *a) {
  pthread_mutex_lock(&m);
  y = 1;
  x = 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t q;
  pthread_create(&q, 0, s, 0);
  __VERIFIER_atomic_begin();
  y = 2;
  pthread_mutex_lock(&m);
  int v = x, u = y;
  pthread_mutex_unlock(&m);
  __VERIFIER_atomic_end();
  if (u == 1)
    reach_error();
  if (v == 0 && x == 1 && y == 2)
    reach_error();
  return 0;
}
