// A variadic function of the program itself.
#include <stdarg.h>

extern void abort(void);
void reach_error(void) {}

static int sum(int count, ...) {
  va_list arguments;
  int total = 0;
  va_start(arguments, count);
  for (int i = 0; i < count; i++)
    total += va_arg(arguments, int);
  va_end(arguments);
  return total;
}

int main(void) {
  if (sum(0) != 0 || sum(3, 1, 20, 300) != 321)
    reach_error();
  return 0;
}
