// A barrier that turns its sense, for two threads, for ever: no thread is more than a phase ahead.
#include <pthread.h>
#include <stdatomic.h>

_Atomic int missing = 2;
atomic_bool sense;
unsigned char phase[2]; // modulo 4

static void *worker(void *argument) {
  int me = (int)(long)argument;
  for (_Bool mine = 1;; mine = !mine) {
    phase[me] = (phase[me] + 1) % 4;
    if (atomic_fetch_sub(&missing, 1) == 1) {
      missing = 2;
      sense = mine;
    } else {
    early:
      while (sense != mine) {
      }
    }
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, worker, (void *)0);
  pthread_create(&threads[1], 0, worker, (void *)1);
  pthread_join(threads[0], 0);
}
