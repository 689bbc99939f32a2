// A routine that returns nothing, started through a cast: it runs all the same.
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

void returns_nothing(void *unused) { reach_error(); }
void *returns_null(void *unused) { return NULL; }

void *(*table[2])(void *) = {(void *(*)(void *))returns_nothing, returns_null};

int main(void) {
  pthread_t t;
  int which = __VERIFIER_nondet_bool();
  pthread_create(&t, NULL, table[which], NULL);
  pthread_join(t, NULL);
  return 0;
}
