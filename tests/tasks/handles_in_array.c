// Handles in an array, joined in the opposite order; each thread gets its own argument.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int results[3];

void *work(void *arg) {
  int index = *(int *)arg;
  results[index] = index + 1;
  return 0;
}

int main(void) {
  pthread_t threads[3];
  int arguments[3];
  for (int i = 0; i < 3; i++) {
    arguments[i] = i;
    pthread_create(&threads[i], 0, work, &arguments[i]);
  }
  for (int i = 2; i >= 0; i--)
    pthread_join(threads[i], 0);
  if (results[0] + results[1] + results[2] != 6)
    reach_error();
  return 0;
}
