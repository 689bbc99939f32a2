// With SA_RESTART the wait goes on when the handler has returned.
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
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&gate, 0, 1);
  if (sem_wait(&gate) != 0) reach_error();
  return 0;
}
