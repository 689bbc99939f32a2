// What a thread returns tells it apart: the first one need not be the first to take the lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  long order = count++;
  pthread_mutex_unlock(&mutex);
  return (void *)order;
}

int main(void) {
  pthread_t first, second, third;
  void *one, *two, *three;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_create(&third, NULL, work, NULL);
  pthread_join(first, &one);
  pthread_join(second, &two);
  pthread_join(third, &three);
  assert((long)one < (long)three);
}
