// Hand over hand: the worker has released the first lock when it writes, and the looker takes only that one.
#include <pthread.h>

void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&n);
  return 0;
}

void *looker(void *arg) {
  pthread_mutex_lock(&m);
  if (x)
    reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, looker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
