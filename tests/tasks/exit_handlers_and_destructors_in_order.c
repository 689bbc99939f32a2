// exit runs the handlers of atexit and on_exit, last one first and those that a handler registers as well, with the
// status for on_exit; then destructor functions, the largest priority first. quick_exit's handlers do not run.
#include <assert.h>
#include <stdlib.h>

static int next, added = 2;

static void at(int place) {
  assert(next == place);
  next = place + 1;
}

__attribute__((destructor(101))) static void very_last(void) { at(5); }
__attribute__((destructor)) static void last(void) { at(4); }

static void fourth(void) { at(3); }
static void third(void) { at(2); }
static void second(int status, void *argument) {
  at(1);
  assert(status + *(int *)argument == 9);
  atexit(third);
}
static void first(void) { at(0); }
static void never(void) { assert(0); }

int main(void) {
  atexit(fourth);
  on_exit(second, &added);
  atexit(first);
  at_quick_exit(never);
  exit(7);
}
