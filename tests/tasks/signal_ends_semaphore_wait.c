// Without SA_RESTART a handler ends a wait for a semaphore with EINTR. If no signal comes, main waits for ever.
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

extern void abort(void);
void reach_error(void) {}

static sem_t gate;

static void handler(int number) { (void)number; }

int main(void) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&gate, 0, 0);
  if (sem_wait(&gate) == -1 && errno == EINTR) reach_error();
  return 0;
}
