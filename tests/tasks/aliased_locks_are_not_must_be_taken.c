// A pointer names one of two mutexes, depending on an input.
// Unsafe: when it names the other mutex, the two increments are not protected against each other.
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *chosen;
int count;

void *through_pointer(void *arg) {
  pthread_mutex_lock(chosen);
  count++;
  pthread_mutex_unlock(chosen);
  return 0;
}

void *direct(void *arg) {
  pthread_mutex_lock(&m);
  count++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  chosen = __VERIFIER_nondet_bool() ? &m : &n;
  pthread_create(&a, 0, through_pointer, 0);
  pthread_create(&b, 0, direct, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count != 2)
    reach_error();
  return 0;
}
