// An argument is there if argc says so, and argv ends with a null pointer.
// Safe: argv[1] has at least one character, perhaps the zero, and argv[2] is null if there is one argument only.
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 1)
    assert(argv[1][0] == argv[1][0]);
  if (argc == 2)
    assert(argv[2] == 0);
  return 0;
}
