// pthread_mutex_timedlock reads its deadline, which another thread changes.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec deadline;

static void *change(void *unused) {
  deadline.tv_sec = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  pthread_mutex_timedlock(&mutex, &deadline);
  pthread_join(thread, NULL);
  return 0;
}
