// A signal that the program sends is delivered for sure, also to a thread that waits: its handler opens the way. It is
// blocked in main, and reset by the first delivery, so that it runs once.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

static sem_t gate;

static void open_gate(int number) {
  (void)number;
  sem_post(&gate);
}

static void *wait(void *argument) {
  while (sem_wait(&gate) != 0) continue;
  return argument;
}

int main(void) {
  pthread_t thread;
  struct sigaction action = {0};
  action.sa_handler = open_gate;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&gate, 0, 0);
  pthread_create(&thread, NULL, wait, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
