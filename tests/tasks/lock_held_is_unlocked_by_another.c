// A mutex that one thread holds is unlocked by another, so a third gets in: no place says what its thread holds.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}

void *meddler(void *arg) {
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, meddler, 0);
  pthread_mutex_lock(&m);
  if (x)
    reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
