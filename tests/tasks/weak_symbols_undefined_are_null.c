// A weak symbol without a definition has the address 0.
#include <assert.h>

extern int function(void) __attribute__((weak));
extern int variable __attribute__((weak));

int main(void) {
  if (function)
    function();
  assert(!function);
  assert(&variable == 0);
  return 0;
}
