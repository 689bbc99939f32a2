// volatile makes an increment neither atomic nor free of lost updates.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

volatile int x;

void *increment(void *arg) {
  x++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increment, 0);
  x++;
  pthread_join(t, 0);
  if (x != 2)
    reach_error();
  return 0;
}
