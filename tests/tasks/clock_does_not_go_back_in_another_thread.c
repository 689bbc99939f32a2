// CLOCK_MONOTONIC never goes back, whichever thread looks at it.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static struct timespec first;

static void *look(void *unused) {
  clock_gettime(CLOCK_MONOTONIC, &first);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec second;
  pthread_create(&thread, NULL, look, NULL);
  pthread_join(thread, NULL);
  clock_gettime(CLOCK_MONOTONIC, &second);
  assert(second.tv_sec > first.tv_sec || (second.tv_sec == first.tv_sec && second.tv_nsec >= first.tv_nsec));
  return 0;
}
