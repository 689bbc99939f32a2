// An input decides between a section of several steps and one of a single step. The long one may be entered between the
// two writes of the other thread.
#include <pthread.h>

void reach_error(void) {}

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, seen;

void *looker(void *arg) {
  __VERIFIER_atomic_begin();
  if (__VERIFIER_nondet_bool()) {
    for (int i = 0; i < 2; i++)
      seen = x;
  } else {
    seen = 7;
  }
  __VERIFIER_atomic_end();
  return 0;
}

void *writer(void *arg) {
  x = 1;
  x = 0;
  if (seen == 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, looker, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
