// main may return before the thread has freed the block.
#include <pthread.h>
#include <stdlib.h>

void *consume(void *arg) {
  free(arg);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, consume, malloc(8));
  return 0;
}
