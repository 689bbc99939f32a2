// As condvar_stolen_wakeup, with a loop around the wait.
// Safe: the consumer goes on only when there is an item.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int items;

void *waiting_consumer(void *arg) {
  pthread_mutex_lock(&m);
  while (items == 0)
    pthread_cond_wait(&c, &m);
  items--;
  if (items < 0)
    reach_error();
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
