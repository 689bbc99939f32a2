// The first of two equal threads to begin waits until main has joined one of them. Main joins the one that it created
// first, so that one may not be the first to begin.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun, go;

static void *work(void *unused) {
  if (begun++ == 0)
    while (!go)
      ;
  return NULL;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&other, NULL, work, NULL);
  pthread_join(one, NULL);
  assert(begun != 2); // fails: the other one has begun before
  go = 1;
  pthread_join(other, NULL);
}
