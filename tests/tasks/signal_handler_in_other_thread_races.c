// A signal to the process may be delivered to any thread that does not block it: the handler may run in the other
// thread, and its write races with main's.
#include <pthread.h>
#include <signal.h>

static int last;

static void handler(int number) { last = number; }

static void *work(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  signal(SIGINT, handler);
  pthread_create(&thread, NULL, work, NULL);
  last = 0;
  pthread_join(thread, NULL);
  return 0;
}
