// A function's address that is handed over as a number is handed over.
#include <assert.h>

void undefined(long address);
int called;

void callback(void) { called = 1; }

int main(void) {
  undefined((long)callback);
  assert(!called);
  return 0;
}
