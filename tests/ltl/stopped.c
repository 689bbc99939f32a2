// A thread that is stopped for ever, by an assumption that never holds or (with -DNULL_POINTER) at a null pointer,
// takes every execution with it in which it stays there: none of them counts.
#include <pthread.h>
#include <stdint.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int five = 5, x, y;

void *stopped(void *argument) {
#ifdef NULL_POINTER
  y = *(int *)(intptr_t)(five - 5);
#else
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(five != 5);
  __VERIFIER_atomic_end();
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, stopped, 0);
#ifdef NULL_POINTER
  while (1) x = !x;
#endif
  pthread_join(thread, 0);
  x = 1;
  return 0;
}
