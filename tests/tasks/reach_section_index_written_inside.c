// Attacks conditional dependence: a section writes the index that it then uses; the state before has another.
// Unsafe: the section comes first.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

unsigned char v[3], i, k, seen;

void *reader(void *unused) {
  (void)unused;
  __VERIFIER_atomic_begin();
  i = 1 - i;
  seen = v[i];
  __VERIFIER_atomic_end();
  return 0;
}

void *writer(void *unused) {
  (void)unused;
  v[k] = 2;
  return 0;
}

int main(void) {
  pthread_t a, b;
  i = __VERIFIER_nondet_bool();
  k = 1 - i;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (seen != 2)
    reach_error();
  return 0;
}
