// Main joins the first thread and then looks: the second one may not have run.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_mutex_lock(&mutex);
  int seen = count;
  pthread_mutex_unlock(&mutex);
  pthread_join(second, NULL);
  assert(seen == 2);
}
