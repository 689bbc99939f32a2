// Two threads write the same heap object through different pointers.
#include <pthread.h>
#include <stdlib.h>

void *writer(void *arg) {
  *(int *)arg = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  int *p = malloc(2 * sizeof *p);
  pthread_create(&t, 0, writer, p + 1);
  p[1] = 2;
  pthread_join(t, 0);
  free(p);
  return 0;
}
