// A sequence lock whose reader only compares the two numbers, but accepts an odd one.
// Unsafe: it reads in the middle of a write.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_uint sequence;
atomic_int first, second;

void *writer(void *arg) {
  sequence++;
  first = 1;
  second = 1;
  sequence++;
  return 0;
}

int main(void) {
  pthread_t t;
  unsigned before;
  int a, b;
  pthread_create(&t, 0, writer, 0);
  do {
    before = sequence;
    a = first;
    b = second;
  } while (before != sequence);
  if (a != b)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
