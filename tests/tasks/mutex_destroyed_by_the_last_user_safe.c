// The thread that finds itself to be the last user destroys the mutex; one that is destroyed may be initialised again.
#include <pthread.h>
#include <stdlib.h>

struct shared {
  pthread_mutex_t mutex;
  int users;
} *shared;

static void leave(void) {
  pthread_mutex_lock(&shared->mutex);
  int last = --shared->users == 0;
  pthread_mutex_unlock(&shared->mutex);
  if (!last) return;
  pthread_mutex_destroy(&shared->mutex);
  pthread_mutex_init(&shared->mutex, NULL);
  pthread_mutex_destroy(&shared->mutex);
  free(shared);
}

void *thread(void *argument) {
  leave();
  return NULL;
}

int main(void) {
  pthread_t other;
  shared = malloc(sizeof *shared);
  pthread_mutex_init(&shared->mutex, NULL);
  shared->users = 2;
  pthread_create(&other, NULL, thread, NULL);
  leave();
  pthread_join(other, NULL);
  return 0;
}
