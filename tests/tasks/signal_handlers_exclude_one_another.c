// sa_mask keeps the other signal away while a handler runs, and a signal never interrupts its own handler.
#include <signal.h>
#include <stddef.h>

extern void abort(void);
void reach_error(void) {}

static volatile sig_atomic_t inside;

static void handler(int number) {
  if (inside) reach_error();
  inside = number;
  inside = 0;
}

int main(void) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGUSR1);
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  return 0;
}
