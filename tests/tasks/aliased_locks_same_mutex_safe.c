// A pointer that is computed at run time always names the same mutex as the direct use.
// Safe: the increments exclude each other.
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int chosen, count;

void *through_index(void *arg) {
  pthread_mutex_lock(&locks[chosen]);
  count++;
  pthread_mutex_unlock(&locks[chosen]);
  return 0;
}

void *through_pointer(void *arg) {
  pthread_mutex_t *lock = arg;
  pthread_mutex_lock(lock);
  count++;
  pthread_mutex_unlock(lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  chosen = __VERIFIER_nondet_bool();
  pthread_create(&a, 0, through_index, 0);
  pthread_create(&b, 0, through_pointer, &locks[chosen]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count != 2)
    reach_error();
  return 0;
}
