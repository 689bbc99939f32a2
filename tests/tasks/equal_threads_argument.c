// The threads run the same code, and their arguments tell them apart: only the third breaks the rule.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, last;

static void *work(void *argument) {
  pthread_mutex_lock(&mutex);
  count++;
  last = (int)(long)argument;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(count == 3 && last != 1);
}
