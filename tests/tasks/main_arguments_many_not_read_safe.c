// More arguments than are modelled do not matter where they are not read.
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 9)
    assert(argc != 9 && argv[1] != 0 && argv[3] != 0);
  return 0;
}
