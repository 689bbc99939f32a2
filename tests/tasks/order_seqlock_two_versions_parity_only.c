// Like order_seqlock_two_versions, but the reader is content with any even number at the end.
// Unsafe.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_uint sequence;
atomic_int first, second;

static void publish(int value) {
  sequence++;
  first = value;
  second = value;
  sequence++;
}

void *writer(void *arg) {
  publish(1);
  publish(2);
  return 0;
}

int main(void) {
  pthread_t t;
  unsigned before;
  int a, b;
  pthread_create(&t, 0, writer, 0);
  do {
    do
      before = sequence;
    while (before % 2);
    a = first;
    b = second;
  } while (sequence % 2);
  if (a != b)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
