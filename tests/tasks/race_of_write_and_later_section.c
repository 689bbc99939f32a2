// The write and the section that waits for it are next to each other in one order only.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

int x, y;

static void count(void) {
  __VERIFIER_atomic_begin();
  y++;
  __VERIFIER_atomic_end();
}

void *writer(void *unused) {
  x = 1;
  count();
  return NULL;
}

void *reader(void *unused) {
  count();
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(x == 1);
  __VERIFIER_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
