// Operators on _Atomic objects and atomic_fetch_add are indivisible.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int a;
_Atomic unsigned char b;

void *work(void *arg) {
  atomic_fetch_add(&a, 1);
  b += 2;
  a++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  if (a != 4 || b != 4)
    reach_error();
  return 0;
}
