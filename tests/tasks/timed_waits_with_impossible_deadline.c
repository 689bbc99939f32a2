// A deadline with an impossible number of nanoseconds is refused, by a lock only if it would have to wait.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

extern void abort(void);
void reach_error(void) {}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t gate;

int main(void) {
  struct timespec deadline = {1, 1000000000};
  if (pthread_mutex_timedlock(&lock, &deadline) != 0) reach_error();
  if (pthread_mutex_timedlock(&lock, &deadline) != EINVAL) reach_error();
  if (pthread_cond_timedwait(&condition, &lock, &deadline) != EINVAL) reach_error();
  sem_init(&gate, 0, 0);
  if (sem_timedwait(&gate, &deadline) != -1 || errno != EINVAL) reach_error();
  deadline.tv_nsec = 0;
  if (pthread_mutex_timedlock(&lock, &deadline) != ETIMEDOUT) reach_error();
  if (sem_timedwait(&gate, &deadline) != -1 || errno != ETIMEDOUT) reach_error();
  return 0;
}
