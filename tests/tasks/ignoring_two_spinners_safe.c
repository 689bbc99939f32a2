// As ignoring_two_spinners_and_bug, but the token only ever takes the values 0 and 1, which is all that is checked.
// Safe; the state space is finite although no thread ends.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

volatile int turn;

void *first(void *arg) {
  for (;;) {
    while (turn != 0)
      ;
    turn = 1;
  }
  return 0;
}

void *second(void *arg) {
  for (;;) {
    while (turn != 1)
      ;
    turn = 0;
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  int seen = turn;
  if (seen != 0 && seen != 1)
    reach_error();
  return 0;
}
