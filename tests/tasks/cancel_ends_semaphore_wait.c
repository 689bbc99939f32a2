// A request ends a wait in a cancellation point, and the thread's result is PTHREAD_CANCELED.
#include <pthread.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

static sem_t gate;

static void *wait(void *argument) {
  sem_wait(&gate);
  return argument;
}

int main(void) {
  pthread_t thread;
  void *result;
  sem_init(&gate, 0, 0);
  pthread_create(&thread, NULL, wait, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) reach_error();
  return 0;
}
