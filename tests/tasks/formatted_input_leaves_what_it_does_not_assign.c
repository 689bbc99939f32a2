// Where scanf stops, the variables behind keep their values.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int one = 1, two = 2, assigned = scanf("%d,%d", &one, &two);
  assert(assigned >= -1 && assigned <= 2);
  if (assigned < 2) assert(two == 2);
  if (assigned < 1) assert(one == 1);
  return 0;
}
