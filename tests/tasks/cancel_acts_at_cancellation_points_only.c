// A request is acted on at a cancellation point, and nowhere else.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static int progress;

static void *work(void *argument) {
  progress = 1;
  progress = 2;
  pthread_testcancel();
  progress = 3;
  progress = 4;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  if (progress != 2 && progress != 4) reach_error();
  return 0;
}
