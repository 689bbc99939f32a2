// A section that can never be finished is never entered, and a thread that stands before it is stopped for ever, so
// that no execution counts: whether it creates threads (-DCREATES), goes round a loop (-DLOOP) or gets a mutex that is
// free (-DLOCKS) before the assumption. With -DFINISHED the assumption holds at last.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

pthread_mutex_t unused;
int x, sum, one, other;

void *toggles(void *argument) {
  while (1) {
    x = 2;
#ifdef FINISHED
    x = 1;
#endif
    x = 0;
  }
}

void *sets_one(void *argument) {
  one = 1;
  return 0;
}

void *sets_other(void *argument) {
  other = 1;
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, toggles, 0);
  __VERIFIER_atomic_begin();
#if defined CREATES
  pthread_create(&threads[1], 0, sets_one, 0);
  pthread_create(&threads[2], 0, sets_other, 0);
#elif defined LOOP
  for (int i = 0; i < 2; i++) sum |= x;
#else
  pthread_mutex_lock(&unused);
  pthread_mutex_unlock(&unused);
#endif
  __VERIFIER_assume(x == 1);
  __VERIFIER_atomic_end();
  sum = 4;
  while (1) {
  }
}
