// Three threads from one create statement in a loop, all joined.
// Safe: the atomic counter is exactly three at the end.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

_Atomic int started;

void *starting(void *arg) {
  started++;
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, starting, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  if (started != 3)
    reach_error();
  return 0;
}
