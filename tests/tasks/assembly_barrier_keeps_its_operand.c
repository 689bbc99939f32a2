// An empty assembly with a tied operand is a compiler barrier; the operand keeps its value.
#include <assert.h>

int main(void) {
  int x = 5;
  __asm__ volatile("" : "+r"(x) : : "memory");
  assert(x == 5);
  return 0;
}
