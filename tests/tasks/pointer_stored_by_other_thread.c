// Another thread redirects the pointer that main writes through.
// Unsafe: the write may hit either variable.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x, y;
int *volatile p = &x;

void *redirecting(void *arg) {
  p = &y;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, redirecting, 0);
  *p = 1;
  pthread_join(t, 0);
  if (y == 1)
    reach_error();
  return 0;
}
