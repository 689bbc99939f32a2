// An undefined function that is handed a function's address may call it, now or later and from another thread: whether
// the assertion holds is not known, and the answer names the function.
#include <assert.h>

extern int start(void (*body)(void *), void *argument);
int started;

static void body(void *argument) { started = 1; }

int main(void) {
  start(body, 0);
  assert(started == 0);
  return 0;
}
