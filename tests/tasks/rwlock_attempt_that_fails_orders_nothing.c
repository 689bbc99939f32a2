// An attempt to read-lock fails only after main has locked for writing, behind its write of x, and orders nothing.
#include <pthread.h>
#include <semaphore.h>

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *attempt(void *argument) {
  if (pthread_rwlock_tryrdlock(&lock) != 0) x = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, attempt, 0);
  x = 1;
  pthread_rwlock_wrlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
