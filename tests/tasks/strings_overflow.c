// strcpy writes the terminating zero behind the buffer.
#include <string.h>

int main(void) {
  char buffer[3];
  strcpy(buffer, "abc");
  return 0;
}
