// What main sets up is constant for the first thread, and main writes it while the second one reads it: a race.
#include <pthread.h>

static int table[2];

static void *work(void *argument) { return table[(long)argument] == 5 ? argument : NULL; }

int main(void) {
  pthread_t threads[2];
  table[0] = 5;
  pthread_create(&threads[0], NULL, work, (void *)0);
  pthread_create(&threads[1], NULL, work, (void *)1);
  table[1] = 5;
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}
