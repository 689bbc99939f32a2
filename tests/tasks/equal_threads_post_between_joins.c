// The first of two equal threads to begin waits until main posts a semaphore, between its joins. It may be the one that
// main joins before it posts: then no thread goes on.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int begun;
static sem_t semaphore;

static void *work(void *unused) {
  if (begun++ == 1) sem_wait(&semaphore);
  return NULL;
}

int main(void) {
  pthread_t one, other;
  sem_init(&semaphore, 0, 0);
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&other, NULL, work, NULL);
  pthread_join(one, NULL); // for ever, if the other one has begun before
  sem_post(&semaphore);
  pthread_join(other, NULL);
}
