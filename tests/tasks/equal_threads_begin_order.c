// Equal threads that main creates with work in between. Each writes before it takes the lock: the order in which they
// begin is free, and the last write is that of any of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun;
static int done, begun_when_second;

static void *work(void *unused) {
  begun++;
  pthread_mutex_lock(&mutex);
  done++;
  if (done == 2) begun_when_second = begun;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, work, NULL);
  pthread_create(&threads[1], NULL, work, NULL);
  begun += 10;
  pthread_create(&threads[2], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(done == 3 && begun == 13);
  assert(begun_when_second >= 2 && begun_when_second <= 13);
  assert(begun_when_second != 3); // holds: the third thread is created after the addition of ten
}
