// POSIX: the environment must not be changed while another thread looks at it.
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
  setenv("MODE", "x", 1);
  return 0;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  char *mode = getenv("MODE");
  pthread_join(worker, 0);
  return mode != 0;
}
