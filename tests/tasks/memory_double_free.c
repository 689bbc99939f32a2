// Two threads may both free the block: the pointer is tested and cleared without a lock.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *release(void *arg) {
  int *mine = p;
  if (mine) {
    p = 0;
    free(mine);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, release, 0);
  release(0);
  pthread_join(t, 0);
  return 0;
}
