// realloc reads the old block and frees it while another thread writes to it.
#include <pthread.h>
#include <stdlib.h>

static void *set(void *block) {
  *(char *)block = 1;
  return NULL;
}

int main(void) {
  char *block = malloc(2);
  pthread_t thread;
  pthread_create(&thread, NULL, set, block);
  block = realloc(block, 4);
  pthread_join(thread, NULL);
  free(block);
  return 0;
}
