// Where the assumption fails, the execution is over; that the other thread still waits for the mutex is no deadlock.
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, NULL, worker, NULL);
  __VERIFIER_assume(__VERIFIER_nondet_bool());
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return 0;
}
