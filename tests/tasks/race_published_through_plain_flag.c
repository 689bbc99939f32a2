// As race_published_through_atomic_flag, with a plain flag: correct under interleaving, but the flag itself races.
#include <assert.h>
#include <pthread.h>

int data, ready;

void *writer(void *arg) {
  data = 5;
  ready = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (ready)
    assert(data == 5);
  pthread_join(t, 0);
  return 0;
}
