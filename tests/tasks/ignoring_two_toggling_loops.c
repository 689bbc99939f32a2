// Two threads toggle for ever; the error needs both flags seen up.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void) {}

_Atomic int a, b;

void *toggle(void *flag) {
  _Atomic int *mine = flag;
  for (;;) {
    *mine = 1;
    *mine = 0;
  }
}

void *observer(void *unused) {
  if (a)
    if (b)
      reach_error();
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, toggle, &a);
  pthread_create(&t, NULL, toggle, &b);
  pthread_create(&t, NULL, observer, NULL);
  pthread_exit(NULL);
}
