// exit, _Exit and abort do not return; atexit handlers are not needed for that.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
  if (__VERIFIER_nondet_bool())
    exit(1);
  else if (__VERIFIER_nondet_bool())
    _Exit(2);
  else
    abort();
  reach_error();
}
