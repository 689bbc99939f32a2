// An error-checking mutex answers EDEADLK to its owner's second lock and EPERM to an unlock by someone else.
#include <errno.h>
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m;

void *intruder(void *arg) {
  if (pthread_mutex_unlock(&m) != EPERM)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &attributes);
  if (pthread_mutex_unlock(&m) != EPERM)
    reach_error();
  if (pthread_mutex_lock(&m) != 0)
    reach_error();
  if (pthread_mutex_lock(&m) != EDEADLK)
    reach_error();
  pthread_create(&t, 0, intruder, 0);
  pthread_join(t, 0);
  if (pthread_mutex_unlock(&m) != 0)
    reach_error();
  return 0;
}
