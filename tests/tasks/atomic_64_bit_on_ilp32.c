// A 64-bit atomic on ILP32 is read and written in one piece.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

_Atomic unsigned long long wide;

void *writer(void *arg) {
  wide = 0xffffffffffffffffULL;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  unsigned long long seen = wide;
  if (seen != 0 && seen != 0xffffffffffffffffULL)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
