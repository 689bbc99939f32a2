// The thread frees what main has allocated, and is joined.
#include <pthread.h>
#include <stdlib.h>

void *consume(void *arg) {
  free(arg);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, consume, malloc(8));
  pthread_join(t, 0);
  return 0;
}
