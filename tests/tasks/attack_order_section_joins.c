// A section that writes a variable and then joins the thread that writes it too.
// Safe: the section waits as a whole, so its write comes last.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

int x;

void *s(void *a) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t q;
  pthread_create(&q, 0, s, 0);
  __VERIFIER_atomic_begin();
  x = 2;
  pthread_join(q, 0);
  int v = x;
  __VERIFIER_atomic_end();
  if (v != 2)
    reach_error();
  return 0;
}
