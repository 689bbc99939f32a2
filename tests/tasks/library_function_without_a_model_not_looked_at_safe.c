// The result of a library function without a model does not matter here.
#include <assert.h>
#include <wctype.h>

int main(void) {
  int letter = iswalpha(L'a') ? 1 : 2;
  assert(letter > 0);
  return 0;
}
