// %n stores how many characters stand before it.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int count = 0;
  printf("ab%c%n\n", 'c', &count);
  assert(count == 3);
  return 0;
}
