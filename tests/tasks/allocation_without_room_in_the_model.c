// Each execution has one of the blocks, and all together are more than the model has addresses for.
// UNKNOWN with the place, neither a crash nor a block that is null although it would not be: what follows its use would
// be looked at in the other two kinds of executions only.
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
  char *p;
  if (__VERIFIER_nondet_bool())
    p = malloc(1800u << 20);
  else if (__VERIFIER_nondet_bool())
    p = malloc(1801u << 20);
  else
    p = malloc(1802u << 20);
  p[0] = 1;
  if (p[0] != 1) reach_error();
  return 0;
}
