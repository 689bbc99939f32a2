// No header declares assert: C89 takes it for a function, and it is an assertion all the same.
#include <pthread.h>

int x;

static void *set(void *argument) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  pthread_join(thread, 0);
  assert(x == 0);
  return 0;
}
