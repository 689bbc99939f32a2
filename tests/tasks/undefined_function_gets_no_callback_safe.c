// The undefined functions get no function's address on any path that is taken: a null pointer, a struct by value (of
// which they get a copy), a plain object, which they may change.
#include <assert.h>

struct settings { int level, more[6]; };

extern void on_signal(void (*handler)(int));
extern int apply(struct settings settings);
extern void fill(int *number);
int handled, never;

static void handle(int number) { handled = 1; }

int main(void) {
  struct settings settings = {3, {0}};
  int number = 5;
  on_signal(never ? handle : 0);
  apply(settings);
  fill(&number);
  assert(handled == 0 && settings.level == 3);
  return 0;
}
