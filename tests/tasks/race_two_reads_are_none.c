// Two reads do not race.
#include <pthread.h>

int x = 1;

void *reader(void *arg) {
  int seen = x;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  int seen = x;
  pthread_join(t, 0);
  return 0;
}
