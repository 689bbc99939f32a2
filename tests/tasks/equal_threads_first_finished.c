// Main joins the first of two equal threads only and then looks at what the other one has done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *unused) {
  done++;
  return NULL;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&other, NULL, work, NULL);
  pthread_join(other, NULL);
  assert(done == 2); // fails: the thread that was created first may not have begun
}
