// The start routine is chosen by an input.
// Unsafe: the second choice writes a value that the check does not expect.
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int x;
void *one(void *arg) { x = 1; return 0; }
void *two(void *arg) { x = 2; return 0; }

int main(void) {
  pthread_t t;
  void *(*routine)(void *) = one;
  if (__VERIFIER_nondet_bool())
    routine = two;
  pthread_create(&t, 0, routine, 0);
  pthread_join(t, 0);
  if (x == 2)
    reach_error();
  return 0;
}
