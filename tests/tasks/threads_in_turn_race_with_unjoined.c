// The loop joins the thread of the round before, so that two threads run at a time.
#include <pthread.h>

static int shared;

static void *add(void *unused) {
  shared++;
  return unused;
}

int main(void) {
  pthread_t last, thread;
  for (int i = 0; i < 4; i++) {
    pthread_create(&thread, NULL, add, NULL);
    if (i > 0) pthread_join(last, NULL);
    last = thread;
  }
  pthread_join(last, NULL);
  return 0;
}
