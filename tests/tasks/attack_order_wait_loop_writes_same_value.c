// A loop that writes the same value in each round, which another thread takes back in between.
// Unsafe: the second round is needed for the other thread to end.
#include <pthread.h>

void reach_error(void) {}

volatile int go, done;

void *t(void *a) {
  while (!go)
    ;
  go = 0;
  while (!go)
    ;
  done = 1;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  while (!done) {
    go = 1;
  }
  if (go == 0)
    reach_error();
  pthread_join(p, 0);
  reach_error();
  return 0;
}
