// For one input the section ends by an assumption that fails; for the other it waits for ever.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {
  __VERIFIER_atomic_begin();
  _Bool stop = __VERIFIER_nondet_bool();
  __VERIFIER_assume(!stop);
  pthread_mutex_lock(&mutex);
  __VERIFIER_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
