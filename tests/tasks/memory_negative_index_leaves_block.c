// From the middle of a block back to its first element, and one further.
#include <stdlib.h>

int main(void) {
  int *numbers = malloc(10 * sizeof *numbers);
  numbers[0] = 1;
  numbers += 5;
  numbers[-5] = 2;
  numbers[-6] = 3;
  return 0;
}
