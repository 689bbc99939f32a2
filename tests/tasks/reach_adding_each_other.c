// Two threads add each other's variable twice: one can reach 8 (an example of CPAchecker's analyses of threads).
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int i = 1, j = 1;

void *adds(void *arg) {
  i += j;
  i += j;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adds, 0);
  j += i;
  j += i;
  pthread_join(t, 0);
  if (i == 8 || j == 8)
    reach_error();
  return 0;
}
