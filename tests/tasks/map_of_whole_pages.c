// A map begins at a page and is made of whole pages, however many bytes are asked for; it holds zeros.
#define _GNU_SOURCE
#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>

int main(void) {
  char *map = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return 1;
  assert((uintptr_t)map % 4096 == 0);
  assert(map[4095] == 0);
  map[4095] = 1;
  return munmap(map, 100);
}
