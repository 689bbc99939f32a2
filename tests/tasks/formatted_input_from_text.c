// sscanf reads its string as C says: numbers, words, sets, what does not match, how much was read.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static char text[] = " 12 ab,0x1f z";

int main(void) {
  int number = 0, last = 7, read = 0;
  unsigned hex = 0;
  char word[8] = "", letter = 0;
  assert(sscanf(text, "%d %[a-y],%x %c%n", &number, word, &hex, &letter, &read) == 4);
  assert(number == 12 && strcmp(word, "ab") == 0 && hex == 31 && letter == 'z' && read == 13);
  assert(sscanf(text, "%d%d", &number, &last) == 1 && last == 7);
  assert(sscanf(text, "x") == 0 && sscanf("", "%d", &number) == -1);
  return 0;
}
