// Attacks skips that rest on the label before a step: two cells differ at first, until a third thread moves an index.
// Unsafe: the third moves j first; the second is then overwritten by the first.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

unsigned char v[2], i, j;

void *first(void *unused) {
  (void)unused;
  v[i] = 1;
  return 0;
}

void *second(void *unused) {
  (void)unused;
  v[j] = 2;
  return 0;
}

void *third(void *unused) {
  (void)unused;
  j = i;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  i = __VERIFIER_nondet_bool();
  j = 1 - i;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_create(&c, 0, third, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  if (v[i] == 1 && v[1 - i] == 0)
    reach_error();
  return 0;
}
