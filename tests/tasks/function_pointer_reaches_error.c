// The function with the error is only called through a pointer that another thread stores.
// Unsafe: main may see the stored pointer.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

void harmless(void) {}
void harmful(void) { reach_error(); }
void (*volatile action)(void) = harmless;

void *storing(void *arg) {
  action = harmful;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, storing, 0);
  action();
  pthread_join(t, 0);
  return 0;
}
