// Nothing depends on what the counter holds, so that its value may be left out. The two writes stay, and they race.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int counter;

static void *work(void *argument) {
  counter = __VERIFIER_nondet_int();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  counter = counter + 1;
  pthread_join(thread, 0);
  return 0;
}
