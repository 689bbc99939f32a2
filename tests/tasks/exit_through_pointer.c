// exit through a pointer runs handlers and destructor functions as exit does.
#include <assert.h>
#include <stdlib.h>

int ended;

__attribute__((destructor)) static void end(void) { assert(ended == 0); }
static void remember(void) { ended = 1; }
static void stay(int status) {}
void (*volatile leave)(int) = stay;

int main(void) {
  atexit(remember);
  leave = exit;
  leave(0);
  return 0;
}
