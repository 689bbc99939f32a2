// trylock of a held mutex returns EBUSY, also for the owner of a normal mutex; of a free one it takes it.
#include <errno.h>
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  if (pthread_mutex_trylock(&m) != 0)
    reach_error();
  if (pthread_mutex_trylock(&m) != EBUSY)
    reach_error();
  pthread_mutex_unlock(&m);
  if (pthread_mutex_trylock(&m) != 0)
    reach_error();
  pthread_mutex_unlock(&m);
  if (pthread_mutex_destroy(&m) != 0)
    reach_error();
  return 0;
}
