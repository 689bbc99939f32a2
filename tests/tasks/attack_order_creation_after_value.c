// A thread that is created only when a value was seen, and looks at the same variable.
// Safe: the creation comes after the second write.
#include <pthread.h>

void reach_error(void) {}

int x;
pthread_t q;

void *u(void *a) {
  if (x == 1)
    reach_error();
  return 0;
}

void *t(void *a) {
  if (x == 2)
    pthread_create(&q, 0, u, 0);
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  x = 1;
  x = 2;
  return 0;
}
