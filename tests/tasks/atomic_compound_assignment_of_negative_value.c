// Compound assignments to atomic objects narrower than int, with negative values, and by floating-point numbers:
// clang 19 extends the values with zeros and drops fractions. All assertions hold in C; clang is not to be believed.
#include <assert.h>
#include <pthread.h>

_Atomic signed char level = -27;
_Atomic short offset = -40;
_Atomic int total = -27;

void *scale(void *factor) {
  level /= 2;
  offset >>= 2;
  total *= *(double *)factor;
  return 0;
}

int main(void) {
  double factor = 2.5;
  pthread_t t;
  pthread_create(&t, 0, scale, &factor);
  pthread_join(t, 0);
  assert(level == -13 && offset == -10 && total == -67);
  return 0;
}
