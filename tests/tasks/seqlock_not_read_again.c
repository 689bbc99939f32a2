// A sequence lock whose reader does not look at the number a second time.
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
  pthread_create(&t, 0, writer, 0);
  while (sequence % 2)
    ;
  int a = first, b = second;
  if (a != b)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
