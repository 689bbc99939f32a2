// Asked twice, in two threads, for a variable that no thread changes, getenv gives the same value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
  char *first = getenv("COLOUR");
  if (first)
    assert(getenv("COLOUR") == first && getenv("COLOUR")[0] == first[0]);
  else
    assert(!getenv("COLOUR"));
  return first;
}

int main(void) {
  pthread_t worker;
  void *seen;
  pthread_create(&worker, 0, work, 0);
  char *here = getenv("COLOUR");
  pthread_join(worker, &seen);
  assert(seen == here);
  return 0;
}
