// A spin lock is released before the write.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_spinlock_t lock;
int x;

void *increment(void *arg) {
  pthread_spin_lock(&lock);
  int seen = x;
  pthread_spin_unlock(&lock);
  x = seen + 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, 0, increment, 0);
  increment(0);
  pthread_join(t, 0);
  if (x != 2)
    reach_error();
  return 0;
}
