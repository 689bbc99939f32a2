// The block grows by one again and again; what was stored stays, and behind its end there is nothing.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
  unsigned length = 0, wanted = __VERIFIER_nondet_uchar() % 4;
  char *text = NULL;
  while (length < wanted) {
    text = realloc(text, length + 1);
    text[length] = (char)length;
    length++;
  }
  for (unsigned i = 0; i < length; i++)
    if (text[i] != (char)i)
      reach_error();
  if (length == 3)
    text[3] = 1;
  free(text);
  return 0;
}
