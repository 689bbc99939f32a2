// The access that races is inside an atomic section, in one of two branches; its address is read in the section.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, chosen;
int *target = &y;

static void *section(void *argument) {
  __VERIFIER_atomic_begin();
  chosen = chosen + 1;
  if (chosen == 1) *target = 1;
  chosen = chosen - 1;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  target = &x;
  pthread_create(&thread, 0, section, 0);
  x = 2;
  pthread_join(thread, 0);
  return 0;
}
