// iswalpha is a function of C, and has no model: what it gives is known, so that no violation may hang on it.
#include <assert.h>
#include <wctype.h>

int main(void) {
  assert(iswalpha(L'a'));
  return 0;
}
