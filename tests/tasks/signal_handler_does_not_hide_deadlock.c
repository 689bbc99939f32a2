// That a signal may come, and its handler run, ends no wait: main is blocked for ever.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t seen;

static void handler(int number) { seen = number; }

int main(void) {
  signal(SIGINT, handler);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return seen;
}
