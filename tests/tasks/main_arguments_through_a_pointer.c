// argc is an input, also when it is only read through a pointer.
#include <assert.h>

int main(int argc, char **argv) {
  int *count = &argc;
  assert(*count == 1);
  return 0;
}
