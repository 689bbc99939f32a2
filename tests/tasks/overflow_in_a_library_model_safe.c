// What the models of library functions compute is not the program's; hashes of unsigned numbers wrap.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[] = "-12";
  int x = atoi(text);
  unsigned hash = 5381;
  for (size_t i = 0; i < strlen(text); i++) hash = hash * 33u + (unsigned char)text[i];
  return x > 0 || hash == 0;
}
