// wcstok, a function of C, gives a pointer into its argument. It has no model, and is not just any function.
#include <assert.h>
#include <wchar.h>

int main(void) {
  wchar_t text[] = L"a b", *rest;
  wchar_t *word = wcstok(text, L" ", &rest);
  assert(word[0] == L'a');
  return 0;
}
