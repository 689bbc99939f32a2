// exit() ends the process in a thread, before main frees the block.
#include <pthread.h>
#include <stdlib.h>

void *leave(void *arg) {
  exit(0);
}

int main(void) {
  pthread_t t;
  char *p = malloc(10);
  pthread_create(&t, 0, leave, 0);
  free(p);
  pthread_join(t, 0);
  return 0;
}
