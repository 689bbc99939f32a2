// How many threads are created is an input: the walk through main ends in the loop that creates them.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
static int slots[3], wanted = 1;

static void *work(void *argument) {
  int *slot = argument;
  *slot = wanted;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  unsigned char count = __VERIFIER_nondet_uchar();
  if (count > 3) count = 3;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, work, &slots[i]);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  int sum = slots[0] + slots[1] + slots[2];
  assert(sum == count);
  assert(sum < 3); // fails
}
