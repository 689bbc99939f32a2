// The flag is set before the data is written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *writer(void *arg) {
  ready = 1;
  data = 5;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (ready)
    assert(data == 5);
  pthread_join(t, 0);
  return 0;
}
