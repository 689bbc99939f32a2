// errno is thread-local: what another thread stores into it is not seen here.
#include <errno.h>
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

void *storing(void *arg) {
  errno = 7;
  return 0;
}

int main(void) {
  pthread_t t;
  errno = 3;
  pthread_create(&t, 0, storing, 0);
  pthread_join(t, 0);
  if (errno != 3)
    reach_error();
  return 0;
}
