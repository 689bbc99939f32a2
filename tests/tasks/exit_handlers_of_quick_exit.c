// quick_exit runs the handlers of at_quick_exit, last one first, and neither those of atexit nor destructor functions.
#include <assert.h>
#include <stdlib.h>

static int next;

__attribute__((destructor)) static void never(void) { assert(0); }
static void second(void) {
  assert(next == 1);
  next = 2;
}
static void first(void) {
  assert(next == 0);
  next = 1;
}

int main(void) {
  atexit(never);
  at_quick_exit(second);
  at_quick_exit(first);
  quick_exit(0);
}
