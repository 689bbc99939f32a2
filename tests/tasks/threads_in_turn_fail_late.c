// Two threads at a time, three times: the update that gets lost needs the second use of both slots.
#include <assert.h>
#include <pthread.h>

static int sum, round;

static void *add(void *unused) {
  if (round == 2) {
    sum = sum + 1; // not protected, in the last round only
  } else {
    __atomic_fetch_add(&sum, 1, __ATOMIC_SEQ_CST);
  }
  return unused;
}

int main(void) {
  for (round = 0; round < 3; round++) {
    pthread_t one, other;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
  }
  assert(sum == 6);
  return 0;
}
