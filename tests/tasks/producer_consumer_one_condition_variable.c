// One condition variable for both directions, signal instead of broadcast, two consumers.
// Deadlock: the consumer's signal meant for the producer wakes the other consumer, which goes back to sleep.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int full;

void *consumer(void *arg) {
  pthread_mutex_lock(&lock);
  while (!full)
    pthread_cond_wait(&changed, &lock);
  full = 0;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consumer, 0);
  pthread_create(&b, 0, consumer, 0);
  for (int item = 0; item < 2; item++) {
    pthread_mutex_lock(&lock);
    while (full)
      pthread_cond_wait(&changed, &lock);
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
