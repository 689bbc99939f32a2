// main fails only after it has joined a thread that calls exit; exit ends the whole process.
// Safe, and no deadlock: the process ends regularly.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

void *leaving(void *arg) {
  exit(0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, leaving, 0);
  pthread_join(t, 0);
  reach_error();
  return 0;
}
