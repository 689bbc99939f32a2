// Main creates the first of two equal threads only if it wants to. The second one begins also if there is no first one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
static atomic_int begun;

static void *work(void *unused) {
  begun++;
  return NULL;
}

int main(void) {
  pthread_t one, other;
  if (__VERIFIER_nondet_bool()) pthread_create(&one, NULL, work, NULL);
  pthread_create(&other, NULL, work, NULL);
  pthread_join(other, NULL);
  assert(begun != 1); // fails: the other one alone
}
