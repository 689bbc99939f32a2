// A timed lock of a mutex that is held can time out; it never blocks for ever.
#include <pthread.h>
#include <time.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *patient(void *arg) {
  struct timespec deadline = {0, 0};
  if (pthread_mutex_timedlock(&m, &deadline) != 0)
    reach_error();
  else
    pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, patient, 0);
  pthread_join(t, 0);
  return 0;
}
