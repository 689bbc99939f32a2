// A writer sets two variables one after the other; the checker may look in between.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int a, b;

void *writer(void *arg) {
  a = 1;
  b = -1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int seen_a = a, seen_b = b;
  if (seen_a + seen_b != 0)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
