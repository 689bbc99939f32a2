// Called through a pointer, an undefined function does what it does when called by its name: any result, any value
// behind its pointer arguments. So the second assertion can fail.
#include <assert.h>

extern int measure(int *place);
static int constant(int *place) { return *place; }
int (*volatile chosen)(int *);

int main(void) {
  int place = 1;
  chosen = constant;
  assert(chosen(&place) == 1);
  chosen = measure;
  int result = chosen(&place);
  assert(result != 4 || place != 7);
  return 0;
}
