// Attacks skips of a thread with a smaller number: the larger one creates a thread that uses the cell chosen by then.
// Safe: no choice leads to the cell that main uses.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

unsigned char v[3], i, *p = &v[0];

void *child(void *unused) {
  (void)unused;
  *p = 2;
  return 0;
}

void *parent(void *unused) {
  (void)unused;
  pthread_t c;
  p = &v[i];
  pthread_create(&c, 0, child, 0);
  p = &v[0];
  return 0;
}

int main(void) {
  pthread_t a;
  i = __VERIFIER_nondet_bool();
  pthread_create(&a, 0, parent, 0);
  v[2] = 1;
  if (v[2] != 1)
    reach_error();
  pthread_join(a, 0);
  return 0;
}
