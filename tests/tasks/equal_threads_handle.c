// Each thread compares its handle with one that main has stored: only the second one finds itself.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t chosen;
static int count, order;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  count++;
  if (pthread_equal(chosen, pthread_self())) order = count;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  chosen = threads[1];
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(order != 3);
}
