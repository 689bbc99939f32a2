// memcpy copies cell by cell: another thread can see half of it.
#include <pthread.h>
#include <string.h>

extern void abort(void);
void reach_error(void) {}

int shared[2], fresh[2] = {1, 1};

void *copying(void *arg) {
  memcpy(shared, fresh, sizeof shared);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, copying, 0);
  int second = shared[1], first = shared[0];
  if (first != second)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
