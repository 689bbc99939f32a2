// Two threads hand a token to and fro for ever; each uses the shared cell only while it has the token.
// Safe, with loops that have no bound: needs an invariant, an induction or a closed state space.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

_Atomic int token;
int cell;

void *even_writer(void *arg) {
  while (1) {
    while (token != 0)
      ;
    cell = 1;
    token = 1;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, even_writer, 0);
  while (1) {
    while (token != 1)
      ;
    if (cell != 1)
      reach_error();
    cell = 0;
    token = 0;
  }
  return 0;
}
