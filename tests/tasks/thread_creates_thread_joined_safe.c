// main creates a thread that creates another and joins it; main joins the first.
// Safe: both writes happen before main's check, through the chain of joins.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x;

void *grandchild(void *arg) {
  x = x + 1;
  return 0;
}

void *creator(void *arg) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, grandchild, 0);
  pthread_join(t, 0);
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, creator, 0);
  pthread_join(a, 0);
  if (x != 2)
    reach_error();
  return 0;
}
