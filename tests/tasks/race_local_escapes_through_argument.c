// A local of main is shared through the argument of the thread.
#include <pthread.h>

void *writer(void *arg) {
  *(int *)arg = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  int local = 0;
  pthread_create(&t, 0, writer, &local);
  local++;
  pthread_join(t, 0);
  return 0;
}
