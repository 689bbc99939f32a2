// A touches nothing that B uses, but the thread that A creates does.
// Unsafe: a persistent set {B} that ignores what A may create loses the order in which the grandchild writes first.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x;

void *grandchild(void *arg) {
  x = 1;
  return 0;
}

void *creator(void *arg) {
  pthread_t t;
  pthread_create(&t, 0, grandchild, 0);
  pthread_join(t, 0);
  return 0;
}

void *checker(void *arg) {
  if (x == 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, creator, 0);
  pthread_create(&b, 0, checker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
