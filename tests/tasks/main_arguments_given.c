// --args fixes argc and argv: this program is started with the arguments `4 x`.
// Unsafe: the second argument is what is asked for.
#include <stdlib.h>
#include <string.h>
void reach_error(void) {}

int main(int argc, char **argv) {
  if (argc == 3 && atoi(argv[1]) == 4 && strcmp(argv[2], "x") == 0 && !argv[3])
    reach_error();
  return 0;
}
