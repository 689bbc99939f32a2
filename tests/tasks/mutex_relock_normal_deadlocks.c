// A thread that locks a normal mutex it already holds blocks for ever.
// Deadlock; the error behind the second lock is not reachable.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m;

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&m, &attributes);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  reach_error();
  return 0;
}
