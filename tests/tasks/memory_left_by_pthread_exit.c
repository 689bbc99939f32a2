// A thread that ends with pthread_exit takes the variables of all its functions with it.
#include <pthread.h>

static int *kept;

static void leave(void) {
  int local = 1;
  kept = &local;
  pthread_exit(0);
}

static void *run(void *argument) {
  leave();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return *kept;
}
