// Each block is freed, by realloc or by free.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = strdup("a");
  p = realloc(p, 40);
  p = realloc(p, 80);
  free(p);
  return 0;
}
