// The Epoch is in 1970. The model does not compute dates: a violation that hangs on one is none.
#include <assert.h>
#include <time.h>

int main(void) {
  time_t epoch = 0;
  assert(gmtime(&epoch)->tm_year == 70);
  return 0;
}
