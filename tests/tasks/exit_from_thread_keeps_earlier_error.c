// One thread calls exit, another fails.
// Unsafe: the failing thread may come first.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

void *leaving(void *arg) {
  exit(0);
  return 0;
}

void *faulty(void *arg) {
  reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, leaving, 0);
  pthread_create(&b, 0, faulty, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
