// Both operands are constants, so that a compiler folds the sum; the statement is executed.
#include <limits.h>

int main(void) {
  int x = INT_MAX + 1;
  return x == 0;
}
