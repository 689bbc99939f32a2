// A writes x; main is blocked in the join of an unrelated thread C and then requires A's write.
// Unsafe: C may end, and main may go on, before A has run at all.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x, y;

void *writer(void *arg) {
  x = 1;
  return 0;
}

void *unrelated(void *arg) {
  y = 1;
  return 0;
}

int main(void) {
  pthread_t a, c;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&c, 0, unrelated, 0);
  pthread_join(c, 0);
  if (x != 1)
    reach_error();
  pthread_join(a, 0);
  return 0;
}
