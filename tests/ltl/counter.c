// Two increments, and the process ends: its last state goes on for ever. With -DATOMIC no update is lost.
#include <pthread.h>

#ifdef ATOMIC
_Atomic int counter;
#else
int counter;
#endif
_Bool finished;

static void *worker(void *argument) {
  (void)argument;
  counter++;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, worker, 0);
  pthread_create(&threads[1], 0, worker, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
done:
  finished = 1;
  return 0;
}
