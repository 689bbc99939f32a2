// Two transfers between two accounts, each step under a lock, and still money disappears.
//
//   heddle check examples/bank_transfer.c                          result: UNSAFE
//   heddle check --property no-data-race examples/bank_transfer.c  result: SAFE
//
// `transfer` reads a balance under the lock, lets go of the lock, and later writes back what it computed: a lost
// update. There is no data race, so a race detector stays silent. Holding the lock over the whole transfer repairs it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { CHECKING, SAVINGS, ACCOUNTS };

static int balance[ACCOUNTS] = {100, 100};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int read_balance(int account) {
  pthread_mutex_lock(&lock);
  int amount = balance[account];
  pthread_mutex_unlock(&lock);
  return amount;
}

static void write_balance(int account, int amount) {
  pthread_mutex_lock(&lock);
  balance[account] = amount;
  pthread_mutex_unlock(&lock);
}

static void transfer(int from, int to, int amount) {
  write_balance(from, read_balance(from) - amount);
  write_balance(to, read_balance(to) + amount);
}

static void *save(void *unused) {
  (void)unused;
  transfer(CHECKING, SAVINGS, 30);
  return NULL;
}

static void *spend(void *unused) {
  (void)unused;
  transfer(SAVINGS, CHECKING, 50);
  return NULL;
}

int main(void) {
  pthread_t saver, spender;
  pthread_create(&saver, NULL, save, NULL);
  pthread_create(&spender, NULL, spend, NULL);
  pthread_join(saver, NULL);
  pthread_join(spender, NULL);
  assert(balance[CHECKING] + balance[SAVINGS] == 200);
  return 0;
}
