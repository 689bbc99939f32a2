// A loop creates a thread and joins it, forty times. One slot is enough for all of them, and each run adds one.
#include <assert.h>
#include <pthread.h>

static int sum;

static void *add(void *amount) {
  sum += *(int *)amount;
  return &sum;
}

int main(void) {
  int one = 1;
  for (int i = 0; i < 40; i++) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, add, &one);
    pthread_join(thread, &result);
    assert(result == &sum);
  }
  assert(sum == 40);
  return 0;
}
