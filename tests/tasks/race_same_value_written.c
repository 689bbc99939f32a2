// Two writes of the same value still race, although no interleaving shows a difference.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  x = 1;
  pthread_join(t, 0);
  if (x != 1)
    reach_error();
  return 0;
}
