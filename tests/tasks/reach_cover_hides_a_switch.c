// The thread sets y or x and goes on from the same place: covering the one case by the other must not lose the switch
// to main right after x was set (Impara, section IV-C: cover expansions).
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {}

int x, y;

void *setter(void *arg) {
  if (__VERIFIER_nondet_int())
    y = 2;
  else
    x = 1;
  x = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  if (x != 0)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
