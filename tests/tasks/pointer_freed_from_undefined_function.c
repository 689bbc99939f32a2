// What an undefined function returns may be a block that the caller has to free.
#include <stdlib.h>

extern char *make_text(void);

int main(void) {
  free(make_text());
  return 0;
}
