// One thread holds the lock of stdout and asks for the mutex; the other one holds the mutex and prints: they may wait
// for each other for ever.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *print(void *unused) {
  pthread_mutex_lock(&mutex);
  puts("line");
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, print, NULL);
  flockfile(stdout);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  funlockfile(stdout);
  pthread_join(thread, NULL);
  return 0;
}
