// main writes after the create instead of before it.
#include <pthread.h>

int x;

void *writer(void *arg) {
  x++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  x = 1;
  pthread_join(t, 0);
  return 0;
}
