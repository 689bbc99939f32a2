#include <assert.h>
#include <pthread.h>
int x, y;
void *count(void *arg) {
  for (int i = 0; i < 900; i++) x++;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, count, 0);
  while (y < 900) y++;
  pthread_join(a, 0);
  assert(x + y != 1800);
}
