// The thread attempts a section in which it locks what main holds; main waits for the thread.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

static void *worker(void *argument) {
  int local = 2;
  __VERIFIER_atomic_begin();
  count += local;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
