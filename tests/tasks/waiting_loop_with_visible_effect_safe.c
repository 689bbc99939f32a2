// As waiting_loop_with_visible_effect, with a claim that holds: the count stops at three.
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
  if (rounds < 0 || rounds > 3)
    reach_error();
  return 0;
}
