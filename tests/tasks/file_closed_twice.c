// A FILE is gone once it is closed: closing it again is a double free.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("numbers", "r");
  if (!file) return 1;
  int failed = ferror(file);
  fclose(file);
  if (failed) fclose(file);
  return 0;
}
