// A destructor function runs when main has returned.
#include <assert.h>

int done;

__attribute__((destructor)) void last(void) { assert(!done); }

int main(void) {
  done = 1;
  return 0;
}
