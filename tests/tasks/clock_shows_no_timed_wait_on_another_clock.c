// The deadline is one of CLOCK_REALTIME, which can be set at any time: CLOCK_MONOTONIC does not show that it has come.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
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
