#include <assert.h>
#include <pthread.h>
int x;
void *count(void *arg) {
  for (int i = 0; i < 60; i++) {
    x = x + 2;
  }
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, count, 0);
  pthread_join(a, 0);
  assert(x != 120);
}
