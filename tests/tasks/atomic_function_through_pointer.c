// A function whose name begins with __VERIFIER_atomic_ runs as one section also when it is called through a pointer, or
// is what a thread runs.
#include <assert.h>
#include <pthread.h>

int x;
void (*volatile chosen)(void);

void __VERIFIER_atomic_increment(void) {
  int local = x;
  x = local + 1;
}

static void twice(void) { x = x + 2; }

void *__VERIFIER_atomic_add(void *argument) {
  int local = x;
  x = local + 1;
  return argument;
}

static void *increment(void *argument) {
  chosen();
  return argument;
}

int main(void) {
  pthread_t a, b;
  chosen = twice;
  chosen = __VERIFIER_atomic_increment;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, __VERIFIER_atomic_add, 0);
  chosen();
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 3);
  return 0;
}
