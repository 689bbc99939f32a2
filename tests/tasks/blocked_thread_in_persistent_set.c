// A does x = 1; B waits for a mutex, then requires x == 1; main, which holds the mutex, unlocks it.
// Unsafe: B may go before A. A persistent set closed over enabled actions only looks like {A}, and loses that.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

void *checker(void *arg) {
  pthread_mutex_lock(&m);
  if (x != 1)
    reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, checker, 0);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
