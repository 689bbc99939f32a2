// Two dining philosophers, one of which is left-handed: no cycle.
#include <pthread.h>

pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *dine(void *arg) {
  int me = *(int *)arg;
  int first = me == 1 ? 0 : me, second = 1 - first;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, dine, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
