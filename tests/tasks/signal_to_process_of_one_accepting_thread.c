// As signal_to_process_may_reach_other_thread, but only main accepts the signal: it is delivered before kill returns.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

static atomic_int seen;

static void handler(int number) { seen = number; }

static void *work(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  sigset_t set;
  signal(SIGUSR1, handler);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&thread, NULL, work, NULL);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  kill(0, SIGUSR1);
  if (seen == 0) reach_error();
  pthread_join(thread, NULL);
  return 0;
}
