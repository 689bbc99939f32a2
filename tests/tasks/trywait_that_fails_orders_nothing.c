// The semaphore has nothing left after main has waited for it, behind its write of x: a failed attempt orders nothing.
#include <pthread.h>
#include <semaphore.h>

int x;
sem_t semaphore;

static void *attempt(void *argument) {
  if (sem_trywait(&semaphore) != 0) x = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 1);
  pthread_create(&thread, 0, attempt, 0);
  x = 1;
  sem_wait(&semaphore);
  pthread_join(thread, 0);
  return 0;
}
