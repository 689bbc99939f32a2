// A thread routine that takes an int, started through a cast: it gets the low half of the pointer.
#include <assert.h>
#include <pthread.h>

int x;

int routine(int value) {
  x = value;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, (void *(*)(void *))routine, (void *)5);
  pthread_join(t, NULL);
  assert(x != 5);
  return 0;
}
