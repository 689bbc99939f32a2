// Constructors with a priority run before those without, whatever their order in the file.
#include <assert.h>

int value;

__attribute__((constructor)) void late(void) { value += 3; }
__attribute__((constructor(101))) void early(void) { value = value * 2 + 5; }

int main(void) {
  assert(value == 8);
  return 0;
}
