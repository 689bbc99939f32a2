// main holds a mutex when it leaves with pthread_exit. It is the last thread, so its end is an exit, whose handler
// waits for the mutex for ever.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock_it(void) { pthread_mutex_lock(&mutex); }

int main(void) {
  pthread_mutex_lock(&mutex);
  atexit(lock_it);
  pthread_exit(0);
}
