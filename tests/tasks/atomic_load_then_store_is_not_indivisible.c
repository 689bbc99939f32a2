// An atomic load followed by an atomic store loses an update, although there is no data race.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int a;

void *work(void *arg) {
  a = a + 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  if (a != 2)
    reach_error();
  return 0;
}
