// A thread created detached signals its end through a semaphore.
#include <pthread.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

sem_t done;
int x;

void *writer(void *arg) {
  x = 1;
  sem_post(&done);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  sem_init(&done, 0, 0);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attributes, writer, 0);
  pthread_attr_destroy(&attributes);
  sem_wait(&done);
  if (x != 1)
    reach_error();
  return 0;
}
