// The clock of time() can be set.
#include <assert.h>
#include <pthread.h>
#include <time.h>

int main(void) {
  time_t first = time(NULL), second = time(NULL);
  assert(second >= first);
  return 0;
}
