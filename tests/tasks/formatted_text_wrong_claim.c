// 100 has three digits, so that snprintf cuts nothing off if it has room for four characters.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int number = 0;

int main(void) {
  char text[4];
  number = 100;
  snprintf(text, sizeof text, "%d", number);
  assert(strcmp(text, "10") == 0);
  return 0;
}
