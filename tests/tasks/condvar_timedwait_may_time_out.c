// A timed wait can return ETIMEDOUT without any signal; so no thread blocks for ever.
#include <errno.h>
#include <pthread.h>
#include <time.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec deadline = {0, 0};
  pthread_mutex_lock(&m);
  if (pthread_cond_timedwait(&c, &m, &deadline) == ETIMEDOUT)
    reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
