// Two threads add to each other's variable twice; perfect alternation gives the Fibonacci number 8, no order more.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int i = 1, j = 1;

void *first(void *arg) {
  i += j;
  i += j;
  return 0;
}

void *second(void *arg) {
  j += i;
  j += i;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (i > 8 || j > 8)
    reach_error();
  return 0;
}
