// A cancelled wait for a condition locks the mutex again before the cleanup handler runs, which unlocks it.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int inside;

static void unlock(void *argument) {
  (void)argument;
  if (inside) reach_error();
  pthread_mutex_unlock(&lock);
}

static void *wait(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, NULL);
  for (;;) pthread_cond_wait(&condition, &lock);
  pthread_cleanup_pop(1);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  pthread_cancel(thread);
  pthread_mutex_lock(&lock);
  inside = 1;
  inside = 0;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&lock);
  return 0;
}
