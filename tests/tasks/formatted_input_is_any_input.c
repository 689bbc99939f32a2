// scanf from a file: any number may come, and the input may end.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int number = 0;
  if (scanf("%d", &number) == 1) assert(number != 4711);
  return 0;
}
