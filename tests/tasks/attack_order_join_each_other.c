// Two threads that join each other.
// Safe: neither ever ends, so the join of main does not return.
#include <pthread.h>

void reach_error(void) {}

int x;
pthread_t p, q;
volatile int go;

void *u(void *a) {
  while (!go)
    ;
  pthread_join(q, 0);
  x++;
  return 0;
}

void *v(void *a) {
  while (!go)
    ;
  pthread_join(p, 0);
  x++;
  return 0;
}

int main(void) {
  pthread_create(&p, 0, u, 0);
  pthread_create(&q, 0, v, 0);
  go = 1;
  pthread_join(p, 0);
  reach_error();
  return 0;
}
