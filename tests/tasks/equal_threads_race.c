// Equal threads that race after the lock is released: the exchanges on the way are undone in the schedule.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, other;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  int mine = ++count;
  pthread_mutex_unlock(&mutex);
  if (mine > 2) other++;
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}
