// A thread that detaches itself after its work, while main joins it.
// Safe: a join that succeeds has waited for the end.
#include <pthread.h>

void reach_error(void) {}

int x;

void *u(void *a) {
  x = 1;
  pthread_detach(pthread_self());
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, u, 0);
  if (pthread_join(p, 0) == 0 && x == 0)
    reach_error();
  return 0;
}
