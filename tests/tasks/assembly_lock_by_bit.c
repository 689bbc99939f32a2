// A lock in one bit, by bts: the offset in a register reaches beyond the word that is named, into the second one.
#include <pthread.h>

void reach_error(void) {}

int count;
static unsigned long words[2];

static void take(void) {
  unsigned char was;
  do {
    __asm__ volatile("lock; btsq %2, %0; setc %1" : "+m"(words[0]), "=q"(was) : "Ir"(70L) : "memory", "cc");
  } while (was);
}

static void give(void) {
  __asm__ volatile("lock; btrq %1, %0" : "+m"(words[0]) : "Ir"(70L) : "memory", "cc");
}

void *worker(void *arg) {
  take();
  count++;
  give();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  if (count != 2 || words[0] != 0 || words[1] != 0)
    reach_error();
  return 0;
}
