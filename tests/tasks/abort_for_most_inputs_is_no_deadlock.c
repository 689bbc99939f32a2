// The same with abort() and an input of few useful values.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int total;

void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  total++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, NULL, worker, NULL);
  int start = __VERIFIER_nondet_int();
  if (start < 0 || start > 4)
    abort();
  total = start;
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return 0;
}
