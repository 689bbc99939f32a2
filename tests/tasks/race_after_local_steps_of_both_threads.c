// Both threads compute the address of their access from an input just before it. They race if both inputs choose the
// same place.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
int cells[4];

static void *writer(void *argument) {
  int place = __VERIFIER_nondet_bool() ? 1 : 3;
  cells[place] = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int place = __VERIFIER_nondet_bool() ? 2 : 3;
  cells[place] = 2;
  pthread_join(thread, 0);
  return 0;
}
