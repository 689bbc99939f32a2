// Two waiting loops hand a token to each other for ever; a third thread fails when it sees the token at the second.
// Unsafe: the token passing is one big cycle of states, and the third thread must be expanded somewhere inside it.
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
  if (turn == 1)
    reach_error();
  return 0;
}
