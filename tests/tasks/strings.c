// The string functions on short strings.
#include <string.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  char buffer[12] = "ab";
  if (strlen(buffer) != 2 || sizeof "abc" != 4)
    reach_error();
  strcat(buffer, "cd");
  if (strcmp(buffer, "abcd") != 0 || strcmp(buffer, "abce") >= 0 || strncmp(buffer, "abX", 2) != 0)
    reach_error();
  if (strchr(buffer, 'c') != buffer + 2 || strchr(buffer, 'x') || strrchr(buffer, 'a') != buffer)
    reach_error();
  strcpy(buffer, "xyz");
  if (buffer[3] != 0 || buffer[0] != 'x' || strstr(buffer, "yz") != buffer + 1)
    reach_error();
  strncpy(buffer, "q", 3); // pads with zeros
  if (buffer[0] != 'q' || buffer[1] || buffer[2])
    reach_error();
  return 0;
}
