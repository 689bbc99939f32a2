// A thread gets the address of a local of a function that returns without a join.
#include <pthread.h>

pthread_t t;

void *user(void *arg) {
  *(int *)arg = 1;
  return 0;
}

static void start(void) {
  int local = 0;
  pthread_create(&t, 0, user, &local);
}

int main(void) {
  start();
  pthread_join(t, 0);
  return 0;
}
