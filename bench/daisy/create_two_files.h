// Two threads create a file each, in the blocks that are given. Which blocks are in use, before and after, is given by the bits
// of the allocation area.
#include "daisy.h"

static void *create_first(void *unused) {
  file_create(0, FIRST_BLOCK);
  return unused;
}

static void *create_second(void *unused) {
  file_create(1, SECOND_BLOCK);
  return unused;
}

int main(void) {
  disk[ALLOCATION_AREA] = USED_BEFORE;
  pthread_t first, second;
  pthread_create(&first, 0, create_first, 0);
  pthread_create(&second, 0, create_second, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(disk[ALLOCATION_AREA] == USED_AFTER); // no block was forgotten
  return 0;
}
