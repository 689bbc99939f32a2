// The second thread of a slot waits for a mutex that main never releases. The thread of the other slot rests, which is
// no reason to call the execution complete.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *enter(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_t thread, other;
    if (i == 1) pthread_mutex_lock(&lock);
    pthread_create(&other, NULL, enter, NULL);
    if (i == 0) pthread_join(other, NULL);
    pthread_create(&thread, NULL, enter, NULL);
    pthread_join(thread, NULL);
  }
  return 0;
}
