// wait reacquires the mutex in a second step: between the signal and that, another consumer takes the item.
// Unsafe: the woken consumer tests with `if` and finds nothing.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int items;

void *waiting_consumer(void *arg) {
  pthread_mutex_lock(&m);
  if (items == 0)
    pthread_cond_wait(&c, &m);
  if (items == 0)
    reach_error();
  items--;
  pthread_mutex_unlock(&m);
  return 0;
}

void *hasty_consumer(void *arg) {
  pthread_mutex_lock(&m);
  if (items > 0)
    items--;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiting_consumer, 0);
  pthread_create(&b, 0, hasty_consumer, 0);
  pthread_mutex_lock(&m);
  items++;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
