// Dining philosophers, for ever: each takes the fork at the left, then the one at the right. With -DORDERED the last
// one is left-handed, and no circle of waiting threads arises.
#include <pthread.h>

#ifndef COUNT
#define COUNT 3
#endif
#ifdef ORDERED
enum { LEFT_HANDED = COUNT - 1 };
#else
enum { LEFT_HANDED = COUNT }; // none
#endif

pthread_mutex_t forks[COUNT]; // of zeros, which is PTHREAD_MUTEX_INITIALIZER
_Bool eating[COUNT];

static void *philosopher(void *argument) {
  int me = (int)(long)argument, left = me, right = (me + 1) % COUNT;
  int first = me == LEFT_HANDED ? right : left, second = me == LEFT_HANDED ? left : right;
  for (;;) {
    pthread_mutex_lock(&forks[first]);
  hungry:
    pthread_mutex_lock(&forks[second]);
    eating[me] = 1;
    eating[me] = 0;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
  }
}

int main(void) {
  pthread_t threads[COUNT];
  pthread_create(&threads[0], 0, philosopher, (void *)0);
  pthread_create(&threads[1], 0, philosopher, (void *)1);
#if COUNT > 2
  pthread_create(&threads[2], 0, philosopher, (void *)2);
#endif
  pthread_join(threads[0], 0);
}
