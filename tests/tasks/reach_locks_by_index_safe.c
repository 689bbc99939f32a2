// Attacks conditional dependence of locks: which mutex of a table a thread takes is an index that the input decides.
// Safe: the two take the same one.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
unsigned char i, j, inside;

void *enter_i(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m[i]);
  inside = 1;
  if (inside != 1)
    reach_error();
  pthread_mutex_unlock(&m[i]);
  return 0;
}

void *enter_j(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m[j]);
  inside = 2;
  pthread_mutex_unlock(&m[j]);
  return 0;
}

int main(void) {
  pthread_t a, b;
  i = __VERIFIER_nondet_bool();
  j = i;
  pthread_create(&a, 0, enter_i, 0);
  pthread_create(&b, 0, enter_j, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
