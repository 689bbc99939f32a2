// Names that clang gives to slots of its own: as variables of the source they hold any value until they are written.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void bypassed(int way) {
  switch (way) {
    int retval;
  case 1: retval = 3;
  case 2: assert(retval == 3 || retval == 0);
  }
}

int main(void) {
  bypassed(__VERIFIER_nondet_int());
  return 0;
}
