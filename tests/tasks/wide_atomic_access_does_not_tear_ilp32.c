// Atomic, the same object is read and written as a whole, also on a machine with words of 4 bytes.
#include <assert.h>
#include <pthread.h>

_Atomic unsigned long long shared;

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
