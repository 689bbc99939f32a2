// Main creates two equal threads in an atomic section; each begins with an atomic section.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int begun, last;

static void *work(void *unused) {
  __VERIFIER_atomic_begin();
  int mine = begun++;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  last = mine;
  __VERIFIER_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t one, other;
  __VERIFIER_atomic_begin();
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&other, NULL, work, NULL);
  __VERIFIER_atomic_end();
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(last == 1); // fails: the first to begin may write last
}
