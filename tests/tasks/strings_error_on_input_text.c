// A text of three input characters equals a word.
#include <string.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
  char text[4];
  for (int i = 0; i < 3; i++)
    text[i] = __VERIFIER_nondet_bool() ? 'a' : 'b';
  text[3] = 0;
  if (strcmp(text, "bab") == 0)
    reach_error();
  return 0;
}
