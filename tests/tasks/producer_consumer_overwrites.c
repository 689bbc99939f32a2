// As producer_consumer, but the producer does not wait for the slot to become empty.
// Unsafe: the first item may be overwritten before it was taken.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
int slot, full;

void *producer(void *arg) {
  for (int item = 1; item <= 2; item++) {
    pthread_mutex_lock(&lock);
    slot = item;
    full = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  pthread_mutex_lock(&lock);
  while (!full)
    pthread_cond_wait(&not_empty, &lock);
  assert(slot == 1);
  full = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}
