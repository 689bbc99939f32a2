// Two globals aligned to 64 lie where they should, so the error is reached. A model that packs objects more densely
// ends vacuously here.
#include <stdint.h>

void reach_error(void) {}

_Alignas(64) int first;
_Alignas(64) int second;

int main(void) {
  if ((uintptr_t)&first % 64 == 0 && (uintptr_t)&second % 64 == 0 && &first != &second) reach_error();
  return 0;
}
