// A plain access of 16 bytes is two: the other thread can come between.
#include <assert.h>
#include <pthread.h>

unsigned __int128 shared;

static void *write_both(void *argument) {
  shared = ~(unsigned __int128)0;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write_both, 0);
  unsigned __int128 seen = shared;
  assert(seen == 0 || seen == ~(unsigned __int128)0);
  return 0;
}
