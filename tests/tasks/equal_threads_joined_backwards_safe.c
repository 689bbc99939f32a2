// Three equal threads under one lock, joined in another order than that of their creation.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, steps[3];

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 2; i >= 0; i--) {
    pthread_join(threads[i], NULL);
    steps[i]++;
  }
  assert(count == 3 && steps[0] == 1);
}
