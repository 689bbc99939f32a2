// The variable is defined in a file that is not here. The functions of that file may call what it is set to.
#include <assert.h>

extern void (*hook)(void);
void undefined(void);
int called;

void callback(void) { called = 1; }

int main(void) {
  hook = callback;
  undefined();
  assert(!called);
  return 0;
}
