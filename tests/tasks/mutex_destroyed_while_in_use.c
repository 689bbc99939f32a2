// The other thread may lock the mutex after it was destroyed: undefined in POSIX, and no lock at all in glibc.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void count(void) {
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
}

void *thread(void *argument) {
  count();
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  count();
  pthread_mutex_destroy(&mutex);
  pthread_join(other, NULL);
  return 0;
}
