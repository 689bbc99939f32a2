// A loop that waits for a flag and gives up after four rounds, never after five.
// Safe.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int flag;

void *setter(void *arg) {
  flag = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  int tries = 0;
  pthread_create(&t, 0, setter, 0);
  while (!flag && tries < 4)
    tries++;
  if (tries == 5)
    reach_error();
  return 0;
}
