// A jump out of a function ends the lifetimes of its variables.
#include <setjmp.h>

static jmp_buf place;
static int *kept;

static void leave(void) {
  int local = 1;
  kept = &local;
  longjmp(place, 1);
}

int main(void) {
  if (setjmp(place) == 0) leave();
  return *kept;
}
