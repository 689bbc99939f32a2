// As handles_in_array, but all threads get the address of the loop variable.
// Unsafe: a thread may read it after the loop has gone on.
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
  pthread_t threads[2];
  int i;
  for (i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, work, &i);
  pthread_join(threads[1], 0);
  pthread_join(threads[0], 0);
  if (results[0] != 1 || results[1] != 2)
    reach_error();
  return 0;
}
