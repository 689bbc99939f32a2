// One thread writes an element of a vector while another reads the whole of it.
#include <pthread.h>

typedef int v4 __attribute__((vector_size(16)));
v4 shared, copy;

static void *first(void *argument) {
  shared[0] = 1;
  return 0;
}

static void *all(void *argument) {
  copy = shared + 1;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, all, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
