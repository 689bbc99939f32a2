// The last thread ends without freeing; so does the process.
#include <pthread.h>
#include <stdlib.h>

void *keep(void *arg) {
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, keep, malloc(8));
  pthread_exit(0);
}
