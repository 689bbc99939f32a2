// Szymanski's algorithm for three threads; see szymanski.c. A test of all flags is one step, as in the description.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum { COUNT = 3 };
unsigned char flag[COUNT];
_Bool critical[COUNT];

static void set(int me, unsigned char value) {
  __VERIFIER_atomic_begin();
  flag[me] = value;
  __VERIFIER_atomic_end();
}

// Is one of the threads in `whom` at one of the stages?
static _Bool some(unsigned whom, unsigned stages) {
  __VERIFIER_atomic_begin();
  unsigned at =
      (whom >> 0 & stages >> flag[0] & 1) | (whom >> 1 & stages >> flag[1] & 1) | (whom >> 2 & stages >> flag[2] & 1);
  __VERIFIER_atomic_end();
  return at;
}

static void *contender(void *argument) {
  int me = (int)(long)argument;
  unsigned everybody = 7, before = (1u << me) - 1, behind = everybody & ~before & ~(1u << me);
  for (;;) {
    set(me, 1);
    while (some(everybody, 1u << 3 | 1u << 4)) {}
    set(me, 3);
    if (some(everybody, 1u << 1)) {
      set(me, 2);
      while (!some(everybody, 1u << 4)) {}
    }
    set(me, 4);
    while (some(before, 1u << 2 | 1u << 3 | 1u << 4)) {}
    critical[me] = 1;
    critical[me] = 0;
    while (some(behind, 1u << 2 | 1u << 3)) {}
    set(me, 0);
  }
}

int main(void) {
  pthread_t threads[COUNT];
  pthread_create(&threads[0], 0, contender, (void *)0);
  pthread_create(&threads[1], 0, contender, (void *)1);
  pthread_create(&threads[2], 0, contender, (void *)2);
  pthread_join(threads[0], 0);
}
