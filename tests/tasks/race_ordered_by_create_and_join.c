// Accesses before the create and after the join are ordered with the thread's.
#include <pthread.h>

int x;

void *writer(void *arg) {
  x++;
  return 0;
}

int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, writer, 0);
  pthread_join(t, 0);
  x++;
  return 0;
}
