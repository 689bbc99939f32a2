// The other thread may post after the semaphore was destroyed.
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;

void *thread(void *argument) {
  sem_post(&semaphore);
  return NULL;
}

int main(void) {
  pthread_t other;
  sem_init(&semaphore, 0, 0);
  pthread_create(&other, NULL, thread, NULL);
  sem_destroy(&semaphore);
  pthread_join(other, NULL);
  return 0;
}
