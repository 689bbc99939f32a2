// x++ for a negative step: x-- at the smallest number.
#include <limits.h>
int x = INT_MIN + 2;

int main(void) {
  for (int i = 0; i < 3; i++) x--;
  return 0;
}
