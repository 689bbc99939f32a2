// A section creates two threads at once. Each of them runs: the first one, which comes to an error, is not lost behind
// the second.
#include <pthread.h>
void reach_error(void) {}
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int first_ran, second_ran;

void *first(void *unused) {
  first_ran = 1;
  if (second_ran)
    reach_error();
  return NULL;
}

void *second(void *unused) {
  second_ran = 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  __VERIFIER_atomic_begin();
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  __VERIFIER_atomic_end();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
