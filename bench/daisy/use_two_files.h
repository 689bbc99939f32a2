// Two threads use two files that exist: one reads, the other writes.
#define HEAD_IS_CHECKED
#include "daisy.h"

static void *read_first(void *unused) {
  file_read(0);
  return unused;
}

static void *write_second(void *unused) {
  file_write(1, 1);
  return unused;
}

int main(void) {
  for (Number file = 0; file < FILES; file++) disk[inode_address(file, INODE_BLOCK)] = file;
  pthread_t first, second;
  pthread_create(&first, 0, read_first, 0);
  pthread_create(&second, 0, write_second, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
