// Main sets up a limit, creates a thread that reads it, and changes it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int limit, fixed;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  int seen = limit;
  pthread_mutex_unlock(&mutex);
  assert(fixed == 7);
  assert(seen == 3); // fails: it may be 4
  return NULL;
}

int main(void) {
  pthread_t thread;
  fixed = 7;
  limit = 3;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  limit = 4;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
