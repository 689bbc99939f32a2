// Plain data is published by an atomic flag: the reader touches it only after it has seen the flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *writer(void *arg) {
  data = 5;
  ready = 1;
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
