// A loop around fetch-or that counts how often the bit was new.
// Unsafe: another thread may clear the bit between two rounds.
#include <pthread.h>
#include <stdatomic.h>

void reach_error(void) {}

_Atomic int x;

void *t(void *a) {
  int e;
  for (int i = 0; i < 2; i++) {
    e = 1;
    if (atomic_compare_exchange_strong(&x, &e, 0))
      return (void *)1;
  }
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int n = 0;
  for (;;) {
    int o = atomic_fetch_or(&x, 1);
    if (o == 0)
      n++;
    if (n == 2)
      break;
  }
  reach_error();
  return 0;
}
