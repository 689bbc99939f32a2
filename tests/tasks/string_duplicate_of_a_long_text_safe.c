// strdup of a text that is longer than most, whose length is counted at run time. Safe up to its last character.
#include <stdlib.h>
#include <string.h>
void reach_error(void) {}

int main(void) {
  char *copy = strdup("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
                      "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
                      "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789");
  size_t length = strlen(copy);
  copy[length - 1] = 'x';
  if (length != 263 || copy[262] != 'x' || copy[263] != 0)
    reach_error();
  free(copy);
  return 0;
}
