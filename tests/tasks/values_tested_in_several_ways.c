// A wide input is looked at by a remainder, a mask, a sign and a comparison, directly, in memory and through a copy of
// another size. The write without the lock happens for numbers that leave 3 by 8 and 7 by 10, such as 27: a race.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared, mode;

static void *work(void *argument) {
  pthread_mutex_lock(&lock);
  int seen = mode;
  long wide = seen;
  if (seen > 0 && wide % 10 == 7) shared++;
  pthread_mutex_unlock(&lock);
  unsigned bits = seen;
  if (bits % 8 == 3 && wide % 10 == 7 && seen < 1000000) shared++;
  return 0;
}

int main(void) {
  pthread_t thread;
  mode = __VERIFIER_nondet_int();
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&lock);
  shared++;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
