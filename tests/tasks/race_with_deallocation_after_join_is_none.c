// The thread that uses the block has ended when the block is freed; another block is freed under the lock that its
// users hold.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *count(void *counter) {
  ++*(int *)counter;
  pthread_mutex_lock(&lock);
  if (shared) ++*shared;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  int *counter = calloc(1, sizeof *counter);
  shared = calloc(1, sizeof *shared);
  pthread_t thread;
  pthread_create(&thread, NULL, count, counter);
  pthread_mutex_lock(&lock);
  free(shared);
  shared = NULL;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  free(counter);
  return 0;
}
