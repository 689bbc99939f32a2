// Results that are never used, sums of inputs that go nowhere, a field that was never set and is only added to:
// nothing depends on any of these values, and there is nothing to try. Every access to the sum is under the lock: SAFE.
#include <pthread.h>
#include <stdlib.h>

extern int ask(int);
extern int __VERIFIER_nondet_int(void);

struct account {
  int sum; // never set
  pthread_mutex_t lock;
};

static void *work(void *argument) {
  struct account *account = argument;
  int more = __VERIFIER_nondet_int();
  ask(1);
  pthread_mutex_lock(&account->lock);
  account->sum += more;
  pthread_mutex_unlock(&account->lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  struct account *account = malloc(sizeof *account);
  pthread_mutex_init(&account->lock, 0);
  pthread_create(&first, 0, work, account);
  pthread_create(&second, 0, work, account);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
