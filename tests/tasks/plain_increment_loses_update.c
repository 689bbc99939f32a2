// x++ on a plain variable is a read and a write.
// Unsafe: two increments may count as one.
#include <assert.h>
#include <pthread.h>

int x;

void *increment(void *arg) {
  x++;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
