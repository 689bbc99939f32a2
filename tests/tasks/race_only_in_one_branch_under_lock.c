// One path releases the mutex before the write.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *arg) {
  pthread_mutex_lock(&m);
  if (__VERIFIER_nondet_bool()) {
    pthread_mutex_unlock(&m);
    x++;
    return 0;
  }
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
