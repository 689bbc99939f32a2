// As cancel_leaves_mutex_locked, with cancellation disabled while the mutex is held.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
  int state;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_mutex_lock(&lock);
  sleep(1);
  pthread_mutex_unlock(&lock);
  pthread_setcancelstate(state, NULL);
  pthread_testcancel();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&lock);
  return 0;
}
