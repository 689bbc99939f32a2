// A thread waits for a flag that main would set only after it has called abort.
// Safe: abort ends all threads, main never gets behind it.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

volatile int flag;

void *waiter(void *arg) {
  while (!flag)
    ;
  reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  abort();
  flag = 1;
  pthread_join(t, 0);
  return 0;
}
