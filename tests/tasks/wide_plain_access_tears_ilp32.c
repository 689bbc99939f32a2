// On a machine with words of 4 bytes a plain access of 8 bytes is two: the other thread can come between.
#include <assert.h>
#include <pthread.h>

unsigned long long shared;

static void *write_both(void *argument) {
  shared = ~0ULL;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write_both, 0);
  unsigned long long seen = shared;
  assert(seen == 0 || seen == ~0ULL);
  return 0;
}
