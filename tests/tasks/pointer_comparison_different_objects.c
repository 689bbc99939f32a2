// Pointers to different live objects are different; their order is fixed, though unspecified.
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

int a, b;

int main(void) {
  int *p = &a, *q = &b;
  if (p == q)
    reach_error();
  _Bool less = (uintptr_t)p < (uintptr_t)q;
  if (less == ((uintptr_t)q < (uintptr_t)p))
    reach_error();
  if (less != ((uintptr_t)&a < (uintptr_t)&b))
    reach_error();
  return 0;
}
