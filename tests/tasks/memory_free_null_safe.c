// free(NULL) does nothing.
#include <stdlib.h>

int main(void) {
  free(0);
  return 0;
}
