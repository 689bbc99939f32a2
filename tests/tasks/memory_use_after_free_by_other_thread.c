// One thread frees a block that the other still uses: only in one order.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *user(void *arg) {
  *p = 2;
  return 0;
}

int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, user, 0);
  free(p);
  pthread_join(t, 0);
  return 0;
}
