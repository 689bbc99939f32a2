// The threads take the locks in opposite orders for one value of a wide input, which is only compared.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *work(void *argument) {
  int mode = __VERIFIER_nondet_int();
  if (mode == 1234567)
    both(&b, &a);
  else
    both(&a, &b);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  both(&a, &b);
  pthread_join(thread, 0);
  return 0;
}
