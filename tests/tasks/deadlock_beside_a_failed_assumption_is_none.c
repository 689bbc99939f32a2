// Main waits for a thread that stands at a failed assumption for ever. That execution does not count. The thread holds
// the lock only if it gets past the assumption.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  int seen = shared;
  __VERIFIER_assume(seen == 0);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  shared = __VERIFIER_nondet_bool();
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
