// pthread_once runs the routine once, and everyone waits until it is complete.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_once_t once = PTHREAD_ONCE_INIT;
int calls, ready;

void initialise(void) {
  calls++;
  ready = 1;
}

void *user(void *arg) {
  pthread_once(&once, initialise);
  if (!ready || calls != 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  user(0);
  pthread_join(t, 0);
  return 0;
}
