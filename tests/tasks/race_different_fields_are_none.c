// Different members of a struct and different elements of an array are different memory locations.
#include <pthread.h>

struct {
  char a, b;
} s;
char array[2];

void *work(void *arg) {
  s.a = 1;
  array[0] = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  s.b = 1;
  array[1] = 1;
  pthread_join(t, 0);
  return 0;
}
