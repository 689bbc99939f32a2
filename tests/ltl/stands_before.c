// A thread that can never go on behind its next step, at a null pointer, may stand before it for ever without fairness;
// and what is always written before it is read (`own`) is of no account for whether a loop closes.
#include <pthread.h>

int x, y;
int *p;
_Thread_local int own;

void *doomed(void *argument) {
  y = *p - 1;
  return 0;
}

void *busy(void *argument) {
  while (1) {
    own = 2;
    if (own) x = !x;
    if (x > 5) p = &y;
  }
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, doomed, 0);
  pthread_create(&other, 0, busy, 0);
  pthread_join(one, 0);
  return 0;
}
