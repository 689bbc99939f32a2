// fputs reads its text, which was freed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(4);
  strcpy(text, "abc");
  free(text);
  fputs(text, stdout);
  return 0;
}
