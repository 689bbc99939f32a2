// A mutex, for ever. A thread that waits for it cannot run while another holds it: weak fairness does not help.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
_Bool want[2], critical[2];

static void *contender(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    want[me] = 1;
    pthread_mutex_lock(&mutex);
    critical[me] = 1;
    want[me] = 0;
    critical[me] = 0;
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, contender, (void *)0);
  pthread_create(&threads[1], 0, contender, (void *)1);
  pthread_join(threads[0], 0);
}
