// The model has room for eight handlers; a ninth is not forgotten but makes the answer unknown.
#include <assert.h>
#include <stdlib.h>

static int runs;

static void count(void) {
  runs++;
  assert(runs < 9);
}

int main(void) {
  for (int i = 0; i < 9; i++) atexit(count);
  return 0;
}
