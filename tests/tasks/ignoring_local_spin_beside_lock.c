// A thread that spins on nothing must not put the others to sleep.
#include <pthread.h>
void reach_error(void) {}

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

void *spinner(void *unused) {
  for (;;)
    ;
}

void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, spinner, NULL);
  pthread_create(&b, NULL, worker, NULL);
  worker(NULL);
  pthread_join(b, NULL);
  if (x == 2)
    reach_error();
  return 0;
}
