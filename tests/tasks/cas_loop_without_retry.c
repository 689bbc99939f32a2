// A compare-exchange whose failure is ignored.
// Unsafe: the second thread's increment is lost when the first was in between.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int a;

void *work(void *arg) {
  int seen = a;
  atomic_compare_exchange_strong(&a, &seen, seen + 1);
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (a != 2)
    reach_error();
  return 0;
}
