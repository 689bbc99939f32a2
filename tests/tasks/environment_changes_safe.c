// What the program puts into its environment is there afterwards.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  assert(setenv("A", "one", 1) == 0 && strcmp(getenv("A"), "one") == 0);
  assert(setenv("A", "two", 0) == 0 && strcmp(getenv("A"), "one") == 0);
  assert(unsetenv("A") == 0 && getenv("A") == 0);
  assert(putenv("B=three") == 0 && strcmp(getenv("B"), "three") == 0);
  assert(setenv("", "x", 1) == -1 && setenv("C=D", "x", 1) == -1);
  return 0;
}
