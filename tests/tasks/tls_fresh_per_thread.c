// Thread-local variables start with their initialiser in each thread, and each thread has its own.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

__thread int mine = 5;
_Thread_local int zero;

void *work(void *arg) {
  if (mine != 5 || zero != 0)
    reach_error();
  mine = 6;
  zero = 1;
  return 0;
}

int main(void) {
  pthread_t a, b;
  mine = 7;
  zero = 2;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (mine != 7 || zero != 2)
    reach_error();
  return 0;
}
