// Attacks conditional dependence of free: which of two blocks is freed is a pointer that another thread could exchange.
// Safe: no thread exchanges it; a thread that sees that it is done stops at the freed block.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

char *one, *two, *victim;

void *user(void *unused) {
  (void)unused;
  *two = 1;
  if (victim == one && *two == 1)
    reach_error();
  return 0;
}

void *freeing(void *unused) {
  (void)unused;
  free(victim);
  victim = one;
  return 0;
}

void *exchange(void *unused) {
  (void)unused;
  if (victim == 0)
    victim = one;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  one = malloc(1);
  two = malloc(1);
  victim = two;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, freeing, 0);
  pthread_create(&c, 0, exchange, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
