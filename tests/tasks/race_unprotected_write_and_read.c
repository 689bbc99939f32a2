// A write and a read of a plain variable, not ordered by anything.
#include <pthread.h>

int x, seen;

void *writer(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  seen = x;
  pthread_join(t, 0);
  return 0;
}
