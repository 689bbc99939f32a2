// An _Atomic struct of twelve bytes, and one of three: an exchange that expects what it holds succeeds, although clang
// fills both up to sixteen and four bytes. The struct has no padding of its own that could differ.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct place {
  int row, column, level;
};
struct colour {
  unsigned char red, green, blue;
};

_Atomic struct place place;
_Atomic struct colour colour;

void *paint(void *arg) {
  struct colour black = {0, 0, 0}, red = {255, 0, 0};
  assert(atomic_compare_exchange_strong(&colour, &black, red));
  return 0;
}

int main(void) {
  struct place here = {1, 2, 3}, there = {4, 5, 6};
  pthread_t t;
  pthread_create(&t, 0, paint, 0);
  atomic_store(&place, here);
  assert(atomic_compare_exchange_strong(&place, &here, there));
  here = atomic_exchange(&place, here);
  assert(here.row == 4);
  pthread_join(t, 0);
  struct colour seen = colour;
  assert(seen.red == 255 && seen.blue == 0);
  return 0;
}
