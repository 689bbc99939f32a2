// A waiting loop whose body counts its rounds, up to three.
// Unsafe: the loop must not be cut to one round, because the count is visible to a later iteration and to others.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

volatile int flag, rounds;

void *setter(void *arg) {
  flag = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  while (!flag)
    if (rounds < 3)
      rounds++;
  if (rounds == 3)
    reach_error();
  return 0;
}
