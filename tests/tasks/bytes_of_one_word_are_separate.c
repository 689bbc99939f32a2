// Two threads store neighbouring bytes of one int through char pointers.
// Safe: byte stores do not touch their neighbours.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int word;

void *store_first(void *arg) {
  ((char *)&word)[0] = 1;
  return 0;
}

void *store_second(void *arg) {
  ((char *)&word)[1] = 1;
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, store_first, 0);
  pthread_create(&t, 0, store_second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (word != 0x0101)
    reach_error();
  return 0;
}
