// An anonymous map is memory of zeros.
#define _GNU_SOURCE
#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

int main(void) {
  int *map = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(map[15] == 0);
  map[15] = 1;
  munmap(map, 64);
  return 0;
}
