// A jump passes by the declaration. In each round of the loop the variable is another one, of any value.
#include <assert.h>

int main(void) {
  for (int i = 1; i < 3; i++) {
    switch (i) {
      int local;
    case 1: local = 7; break;
    case 2: assert(local == 7);
    }
  }
  return 0;
}
