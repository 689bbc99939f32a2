// What the library allocates for itself is no block of the program.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("a", "r");
  return file == NULL;
}
