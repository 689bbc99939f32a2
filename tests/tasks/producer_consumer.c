// A buffer with one slot, a producer of two items, a consumer; two condition variables.
// Safe: the items arrive in order and no thread waits for ever.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int slot, full;

void *producer(void *arg) {
  for (int item = 1; item <= 2; item++) {
    pthread_mutex_lock(&lock);
    while (full)
      pthread_cond_wait(&not_full, &lock);
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
  for (int expected = 1; expected <= 2; expected++) {
    pthread_mutex_lock(&lock);
    while (!full)
      pthread_cond_wait(&not_empty, &lock);
    assert(slot == expected);
    full = 0;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(t, 0);
  return 0;
}
