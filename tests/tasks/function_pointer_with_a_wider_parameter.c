// The callee reads the low half of what the caller passes.
#include <assert.h>

int x;

void set(int value) { x = value; }

int main(void) {
  void (*wide)(long) = (void (*)(long))set;
  wide(5);
  assert(x != 5);
  return 0;
}
