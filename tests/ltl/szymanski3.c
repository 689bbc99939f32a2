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

// Is some thread from `first` up to, but not including, `end` at one of the stages in the set?
static _Bool some(int first, int end, unsigned stages) {
  _Bool found = 0;
  __VERIFIER_atomic_begin();
  for (int i = first; i < end; i++) found |= stages >> flag[i] & 1;
  __VERIFIER_atomic_end();
  return found;
}

static void *contender(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    set(me, 1);
    while (some(0, COUNT, 1u << 3 | 1u << 4)) {
    }
    set(me, 3);
    if (some(0, COUNT, 1u << 1)) {
      set(me, 2);
      while (!some(0, COUNT, 1u << 4)) {
      }
    }
    set(me, 4);
    while (some(0, me, 1u << 2 | 1u << 3 | 1u << 4)) {
    }
    critical[me] = 1;
    critical[me] = 0;
    while (some(me + 1, COUNT, 1u << 2 | 1u << 3)) {
    }
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
