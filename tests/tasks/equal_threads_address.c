// Each thread publishes the address of a thread-local object: the addresses tell the threads apart.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int own;
static int *published[2];
static int count;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  own = count;
  published[count++] = &own;
  if (count == 2) assert(*published[0] == 0 && *published[1] == 1 && published[0] != published[1]);
  if (count == 2) *published[0] = 2;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  assert(own < 2);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
