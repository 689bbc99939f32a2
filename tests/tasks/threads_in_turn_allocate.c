// Each run of a slot allocates a block of its own and hands it out.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *make(void *unused) {
  int *block = malloc(sizeof *block);
  *block = 1;
  return block;
}

int main(void) {
  int *blocks[3];
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, make, NULL);
    pthread_join(thread, &result);
    blocks[i] = result;
  }
  *blocks[0] = 2;
  assert(*blocks[1] == 1 && *blocks[2] == 1);
  for (int i = 0; i < 3; i++) free(blocks[i]);
  return 0;
}
