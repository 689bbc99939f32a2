// The beginning and the end of a section, called through pointers.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void (*volatile begin)(void) = __VERIFIER_atomic_begin;
void (*volatile end)(void) = __VERIFIER_atomic_end;
int x;

static void *increment(void *argument) {
  begin();
  int local = x;
  x = local + 1;
  end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, increment, 0);
  increment(0);
  pthread_join(thread, 0);
  assert(x == 2);
  return 0;
}
