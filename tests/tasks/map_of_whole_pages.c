// A map begins at a page and ends with one, whatever length was asked for; the rest of its last page is zero.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

int main(void) {
  char *map = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return 1;
  assert(((uintptr_t)map & 4095) == 0);
  assert(map[4095] == 0);
  map[4095] = 1;
  return munmap(map, 100);
}
