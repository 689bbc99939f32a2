// Three dining philosophers that all take the left fork first.
#include <pthread.h>

enum { PHILOSOPHERS = 3 };
pthread_mutex_t forks[PHILOSOPHERS];

void *dine(void *arg) {
  int me = *(int *)arg;
  pthread_mutex_lock(&forks[me]);
  pthread_mutex_lock(&forks[(me + 1) % PHILOSOPHERS]);
  pthread_mutex_unlock(&forks[(me + 1) % PHILOSOPHERS]);
  pthread_mutex_unlock(&forks[me]);
  return 0;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  int numbers[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) {
    pthread_mutex_init(&forks[i], 0);
    numbers[i] = i;
  }
  for (int i = 0; i < PHILOSOPHERS; i++)
    pthread_create(&threads[i], 0, dine, &numbers[i]);
  for (int i = 0; i < PHILOSOPHERS; i++)
    pthread_join(threads[i], 0);
  return 0;
}
