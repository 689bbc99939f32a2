// A file gives back what the program itself has written to it.
#include <stdio.h>

void reach_error(void);

int main(void) {
  FILE *file = tmpfile();
  if (!file) return 1;
  if (fputc('a', file) != 'a') return 1;
  rewind(file);
  int letter = fgetc(file);
  if (letter != EOF && letter != 'a') reach_error();
  fclose(file);
  return 0;
}
