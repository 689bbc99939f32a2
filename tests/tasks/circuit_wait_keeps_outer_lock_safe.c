// The waiter holds two locks. Its wait releases the inner one only, and the looker needs the outer one.
#include <pthread.h>

void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, go;

void *waiter(void *arg) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  x = 1;
  if (!go)
    pthread_cond_wait(&c, &m);
  x = 0;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return 0;
}

void *looker(void *arg) {
  pthread_mutex_lock(&n);
  if (x)
    reach_error();
  pthread_mutex_unlock(&n);
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, looker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
