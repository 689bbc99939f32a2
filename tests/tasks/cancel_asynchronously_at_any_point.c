// With the asynchronous type a request is acted on at any point.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static int progress;

static void *work(void *argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  progress = 1;
  progress = 2;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  if (progress == 1) reach_error();
  return 0;
}
