// Atomic accesses never race with each other.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int seen = x;
  x = 2;
  pthread_join(t, 0);
  return 0;
}
