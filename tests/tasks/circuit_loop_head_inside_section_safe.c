// A thread runs for ever through sections, and the head of its loop lies inside one. It never turns to two.
#include <pthread.h>

void reach_error(void) {}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned char turns;
int x;

void *spinner(void *arg) {
  __VERIFIER_atomic_begin();
  while (turns != 2) {
    turns = (turns + 1) & 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
  }
  x = 1;
  __VERIFIER_atomic_end();
  return 0;
}

void *looker(void *arg) {
  if (x == 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, spinner, 0);
  pthread_create(&b, 0, looker, 0);
  pthread_exit(0);
}
