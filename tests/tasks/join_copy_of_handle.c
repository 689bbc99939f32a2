// The join goes through a copy of the handle, after the original was overwritten.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t original, copy;
  pthread_create(&original, 0, writer, 0);
  copy = original;
  original = pthread_self();
  pthread_join(copy, 0);
  if (x != 1)
    reach_error();
  return 0;
}
