// As mutex_relock_normal_deadlocks, with the static initialiser and the second lock hidden in a called function.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int balance;

static void deposit(int amount) {
  pthread_mutex_lock(&m);
  balance += amount;
  pthread_mutex_unlock(&m);
}

int main(void) {
  pthread_mutex_lock(&m);
  if (balance == 0)
    deposit(1);
  if (balance == 1)
    reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
