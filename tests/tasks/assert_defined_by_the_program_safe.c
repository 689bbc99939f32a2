// The program has an assert of its own, which does something else.
#include <stdio.h>

int asserted;
static void assert(int condition) { asserted = asserted + !condition; }

extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  assert(0);
  if (asserted != 1) reach_error();
  return 0;
}
