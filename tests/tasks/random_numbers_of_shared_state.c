// Two threads that draw from one state race on it, and may both get the same number.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static unsigned short state[3] = {1, 2, 3};
static long other;

static void *draw(void *unused) {
  other = nrand48(state);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, draw, NULL);
  long own = nrand48(state);
  pthread_join(thread, NULL);
  assert(own != other);
  return 0;
}
