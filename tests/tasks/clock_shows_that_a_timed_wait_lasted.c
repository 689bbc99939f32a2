// A timed wait that gives up has lasted until its deadline, which is one of CLOCK_MONOTONIC here.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition;

int main(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&condition, &attributes);
  struct timespec deadline, after;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec++;
  pthread_mutex_lock(&mutex);
  int result = pthread_cond_timedwait(&condition, &mutex, &deadline);
  pthread_mutex_unlock(&mutex);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(result != ETIMEDOUT || after.tv_sec >= deadline.tv_sec);
  return 0;
}
