// Other threads go on while a handler runs: they may see it half done.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int first, second;

static void count(int number) {
  (void)number;
  first = 1;
  second = 1;
}

static void *look(void *argument) {
  int a = first, b = second;
  if (a && !b) reach_error();
  return argument;
}

int main(void) {
  pthread_t thread;
  signal(SIGINT, count);
  pthread_create(&thread, NULL, look, NULL);
  pthread_join(thread, NULL);
  return 0;
}
