// One of two mutexes is taken, by an unknown index: the other one may be that which the worker holds.
#include <pthread.h>

extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x;

void *worker(void *arg) {
  pthread_mutex_lock(&m[0]);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&m[0]);
  return 0;
}

int main(void) {
  pthread_t a;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1)
    return 0;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m[i]);
  if (x)
    reach_error();
  pthread_mutex_unlock(&m[i]);
  return 0;
}
