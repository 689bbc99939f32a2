// --args fixes argc and argv: this program is started with the arguments `12 x`.
// Safe: each of them is known, and so is the number of rounds.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100000;
  assert(argc == 3 && rounds == 12);
  for (int i = 0; i < rounds; i++)
    assert(argv[2][0] == 'x' && argv[2][1] == 0);
  assert(strcmp(argv[0], "main_arguments_given_safe") == 0);
  return 0;
}
