// One pthread_t variable is used for two threads, one after the other.
// Safe: each is joined before the variable is used again.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int count;

void *counting(void *arg) {
  count++;
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) {
    pthread_create(&t, 0, counting, 0);
    pthread_join(t, 0);
  }
  if (count != 3)
    reach_error();
  return 0;
}
