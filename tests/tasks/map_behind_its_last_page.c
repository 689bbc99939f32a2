// A map of 100 bytes has one page of 4096 bytes, and no more.
#include <stddef.h>
#include <sys/mman.h>

int main(void) {
  char *map = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  map[4096] = 1;
  return 0;
}
