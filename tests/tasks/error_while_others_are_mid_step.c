// One thread fails while a second holds a mutex and a third waits for it for ever.
// Unsafe: errors are not deadlocks, and need no execution in which the others finish. Forgetting the unlock deadlocks.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *holder(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  return 0; // keeps the mutex
}

void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}

void *faulty(void *arg) {
  if (x == 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, holder, 0);
  pthread_create(&b, 0, waiter, 0);
  pthread_create(&c, 0, faulty, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
