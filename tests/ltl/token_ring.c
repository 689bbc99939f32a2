// Dijkstra's ring of three machines with K states each: from any start there is only one privilege in the end.
#include <pthread.h>

#ifndef K
#define K 3
#endif

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

unsigned char state[3];
_Bool started;

static void *first(void *argument) {
  (void)argument;
  for (;;) {
    __VERIFIER_atomic_begin();
    if (state[0] == state[2]) state[0] = (state[0] + 1) % K;
    __VERIFIER_atomic_end();
  }
}

static void *other(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    __VERIFIER_atomic_begin();
    if (state[me] != state[me - 1]) state[me] = state[me - 1];
    __VERIFIER_atomic_end();
  }
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    state[i] = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(state[i] < K);
  }
  started = 1;
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, other, (void *)1);
  pthread_create(&threads[2], 0, other, (void *)2);
  pthread_join(threads[0], 0);
}
