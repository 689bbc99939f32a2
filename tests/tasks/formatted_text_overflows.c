// sprintf writes as much as it has to: a number of ten digits does not fit.
#include <stdio.h>

static int number = 0;

int main(void) {
  char text[8];
  number = 1234567890;
  sprintf(text, "%d", number);
  return 0;
}
