// Two threads use one jump buffer, each under the lock from the setjmp to the longjmp.
#include <pthread.h>
#include <setjmp.h>

jmp_buf shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *save(void *arg) {
  pthread_mutex_lock(&lock);
  if (setjmp(shared) == 0) longjmp(shared, 1);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, save, 0);
  pthread_create(&b, 0, save, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
