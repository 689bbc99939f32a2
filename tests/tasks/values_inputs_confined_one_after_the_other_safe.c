// Two inputs are read before either is confined; both are indices. They are equal, so the lock fits the element.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
int array[5];
pthread_mutex_t locks[5];

static void *work(void *argument) {
  int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (i < 0 || i >= 5) abort();
  if (k < 0 || k >= 5 || k != i) abort();
  pthread_mutex_lock(&locks[i]);
  array[i]++;
  pthread_mutex_unlock(&locks[i]);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
