// What is to be printed may not be: printf returns a negative number then.
#include <assert.h>
#include <stdio.h>

int main(void) {
  assert(printf("text\n") == 5);
  return 0;
}
