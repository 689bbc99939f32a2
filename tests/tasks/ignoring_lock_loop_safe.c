// A thread toggles a variable twice under a mutex, for ever; another reads it under the mutex.
// Safe: the reader never sees the middle of the critical section.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *looping(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

void *reader(void *arg) {
  pthread_mutex_lock(&m);
  if (inside)
    reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, looping, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(b, 0);
  return 0;
}
