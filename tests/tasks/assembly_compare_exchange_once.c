// The same without trying again: the increment of a thread that came second is lost.
#include <pthread.h>

void reach_error(void) {}

int count;

static int compare_and_set(int *at, int old, int next) {
  unsigned char done;
  __asm__ volatile("lock; cmpxchgl %3, %1; sete %0"
                   : "=q"(done), "+m"(*at), "+a"(old)
                   : "r"(next)
                   : "memory", "cc");
  return done;
}

static int load(int *at) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*at) : "memory");
  return value;
}

void *worker(void *arg) {
  int seen = load(&count);
  compare_and_set(&count, seen, seen + 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  if (count != 2)
    reach_error();
  return 0;
}
