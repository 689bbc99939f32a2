// A thread runs for ever through sections, and the head of its loop lies inside one. When sections become single steps,
// the loop must still be known as one: else a set with this thread alone is chosen again and again, and others wait.
#include <pthread.h>

void reach_error(void) {}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int turns, x;

void *spinner(void *arg) {
  __VERIFIER_atomic_begin();
  while (1) {
    turns = !turns;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
  }
}

void *writer(void *arg) {
  x = 1;
  x = 2;
  return 0;
}

void *looker(void *arg) {
  if (x == 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, spinner, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_create(&c, 0, looker, 0);
  pthread_exit(0);
}
