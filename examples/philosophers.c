// Three dining philosophers.
//
//   heddle check --property no-deadlock examples/philosophers.c   result: UNSAFE
//
// Everyone takes the fork to the left, then the one to the right. When all have taken their left fork at the same
// time, all wait for ever. Let one of them take the right fork first (-- -DLEFT_HANDED), and the circle is broken.
#include <pthread.h>
#include <stddef.h>

enum { PHILOSOPHERS = 3 };

static pthread_mutex_t forks[PHILOSOPHERS];

static void *dine(void *argument) {
  int seat = *(int *)argument;
  int first = seat, second = (seat + 1) % PHILOSOPHERS;
#ifdef LEFT_HANDED
  if (seat == PHILOSOPHERS - 1) {
    first = second;
    second = seat;
  }
#endif
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  // eat
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  int seats[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) {
    pthread_mutex_init(&forks[i], NULL);
    seats[i] = i;
  }
  for (int i = 0; i < PHILOSOPHERS; i++)
    pthread_create(&threads[i], NULL, dine, &seats[i]);
  for (int i = 0; i < PHILOSOPHERS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
