// A thread that joins itself either blocks or gets an error (EDEADLK); it never succeeds.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  if (pthread_join(pthread_self(), 0) == 0)
    reach_error();
  return 0;
}
