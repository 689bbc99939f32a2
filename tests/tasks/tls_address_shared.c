// A thread publishes the address of its thread-local variable, and main writes through it.
// Unsafe: thread-local storage is ordinary memory; the owner sees the write.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

_Thread_local volatile int mine;
volatile int *_Atomic published;
_Atomic int checked;

void *owner(void *arg) {
  published = &mine;
  if (mine == 3)
    reach_error();
  checked = 1;
  while (checked == 1) // keep the variable alive until main is done
    ;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, owner, 0);
  volatile int *p;
  while (!(p = published))
    ;
  *p = 3;
  while (checked != 1)
    ;
  checked = 2;
  pthread_join(t, 0);
  return 0;
}
