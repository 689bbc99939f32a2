// The text of an argument may be longer than the buffer that it is copied to.
#include <string.h>

int main(int argc, char **argv) {
  char name[4];
  if (argc == 2)
    strcpy(name, argv[1]);
  return 0;
}
