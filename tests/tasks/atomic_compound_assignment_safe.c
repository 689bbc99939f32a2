// Compound assignments to atomic objects of which clang makes a loop with an exchange: none is lost, and values that
// are the same as signed and as unsigned numbers are computed exactly.
#include <assert.h>
#include <pthread.h>

_Atomic unsigned char product = 2;
_Atomic short shifted = 1;
_Atomic _Bool toggled;
_Atomic float half = 8;

void *twice(void *arg) {
  product *= 3;
  shifted <<= 1;
  toggled ^= 1;
  half /= 2;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, twice, 0);
  product *= 3;
  shifted <<= 1;
  toggled ^= 1;
  half /= 2;
  pthread_join(t, 0);
  assert(product == 18 && shifted == 4 && !toggled && half == 2);
  product %= 10;
  shifted /= -2;
  assert(product == 8 && shifted == -2);
  return 0;
}
