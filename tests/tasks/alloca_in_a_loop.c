// Each call of alloca gives a block of its own, alive until the function returns: the two are different.
#include <assert.h>

int main(void) {
  int *blocks[2];
  for (int i = 0; i < 2; i++) {
    blocks[i] = __builtin_alloca(sizeof(int));
    *blocks[i] = i;
  }
  assert(blocks[0] == blocks[1]);
  return 0;
}
