// Each of two threads adds to a shared variable in a recursion of depth two, without a lock.
// Unsafe: an update can be lost, and the activations of both threads must be kept apart.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int total;

void add(int n) {
  if (n == 0)
    return;
  total += n;
  add(n - 1);
}

void *adding(void *arg) {
  add(2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adding, 0);
  add(2);
  pthread_join(t, 0);
  if (total != 6)
    reach_error();
  return 0;
}
