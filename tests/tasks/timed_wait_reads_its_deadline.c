// A timed lock that has to wait reads its deadline, which another thread writes.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec deadline = {5, 0};

static void *work(void *argument) {
  deadline.tv_sec = 6;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_timedlock(&lock, &deadline);
  pthread_join(thread, NULL);
  return 0;
}
