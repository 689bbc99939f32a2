// The block is freed after the user was joined.
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
  pthread_join(t, 0);
  free(p);
  return 0;
}
