// assert from assert.h, in a function called by a thread, with a side condition in its text.
#include <assert.h>
#include <pthread.h>

int x;

static void check(int limit) {
  assert(x < limit && "x stays below the limit");
}

void *work(void *arg) {
  x++;
  check(2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  pthread_join(t, 0);
  return 0;
}
