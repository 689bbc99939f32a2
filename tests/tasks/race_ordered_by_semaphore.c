// A semaphore orders the write before the read.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t written;
int x;

void *writer(void *arg) {
  x = 1;
  sem_post(&written);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&written, 0, 0);
  pthread_create(&t, 0, writer, 0);
  sem_wait(&written);
  assert(x == 1);
  pthread_join(t, 0);
  return 0;
}
