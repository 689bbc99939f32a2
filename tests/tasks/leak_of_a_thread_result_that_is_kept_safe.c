// The thread's result is kept in a global.
#include <pthread.h>
#include <stdlib.h>
void *result;

void *make(void *arg) {
  return malloc(4);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, make, 0);
  pthread_join(t, &result);
  return 0;
}
