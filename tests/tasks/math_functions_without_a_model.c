// What fmod computes is known, and the model does not compute it where its argument is not constant: a violation that
// hangs on its result is none, so UNKNOWN.
#include <assert.h>
#include <math.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  double number = __VERIFIER_nondet_bool() ? 7.5 : 3.5;
  assert(fmod(number, 2) == 1.5);
  return 0;
}
