// Inside an atomic section no other thread moves, whether or not it uses atomic sections itself.
// Safe: the plain reader never sees the middle.
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) {}

int x;

void *writer(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
  x = 2;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (x == 1)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
