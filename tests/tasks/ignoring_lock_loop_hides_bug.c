// A thread locks and unlocks a mutex for ever; another needs the mutex once and then fails.
// Unsafe: the loop is a cycle of states through lock operations; the other thread can enter between two rounds.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *looping(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
  return 0;
}

void *faulty(void *arg) {
  pthread_mutex_lock(&m);
  inside = 1;
  pthread_mutex_unlock(&m);
  if (inside)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, looping, 0);
  pthread_create(&b, 0, faulty, 0);
  pthread_join(b, 0);
  return 0;
}
