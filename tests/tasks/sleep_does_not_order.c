// sleep and usleep give no guarantee that another thread has run.
#include <pthread.h>
#include <unistd.h>

extern void abort(void);
void reach_error(void) {}

int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  usleep(1);
  sleep(0);
  if (x != 1)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
