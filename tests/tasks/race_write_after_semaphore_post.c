// The write comes after the post: nothing orders it with the read.
#include <pthread.h>
#include <semaphore.h>

sem_t written;
int x, seen;

void *writer(void *arg) {
  sem_post(&written);
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&written, 0, 0);
  pthread_create(&t, 0, writer, 0);
  sem_wait(&written);
  seen = x;
  pthread_join(t, 0);
  return 0;
}
