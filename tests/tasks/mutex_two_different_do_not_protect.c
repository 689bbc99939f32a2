// Two increments under two different mutexes do not exclude each other.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m, n;
int x;

void *with_m(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}

void *with_n(void *arg) {
  pthread_mutex_lock(&n);
  x++;
  pthread_mutex_unlock(&n);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_init(&m, 0);
  pthread_mutex_init(&n, 0);
  pthread_create(&a, 0, with_m, 0);
  pthread_create(&b, 0, with_n, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
