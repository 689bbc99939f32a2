// `rep stosl`, as old headers clear sets of descriptors, writes memory: it races with a reader of that memory.
#include <pthread.h>

void reach_error(void) {}

unsigned set[4] = {1, 2, 3, 4};

void *worker(void *arg) {
  int count, to;
  __asm__ volatile("cld; rep; stosl" : "=c"(count), "=D"(to) : "a"(0), "0"(3), "1"(&set[0]) : "memory");
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  unsigned seen = set[2];
  pthread_join(t, 0);
  if ((seen != 0 && seen != 3) || set[0] + set[1] + set[2] != 0 || set[3] != 4)
    reach_error();
  return 0;
}
