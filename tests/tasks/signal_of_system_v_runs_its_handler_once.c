// signal() of System V: the handler is reset by its first signal, and runs once.
#define _POSIX_C_SOURCE 200809L

#include <assert.h>
#include <signal.h>
static volatile sig_atomic_t count;
static void handler(int number) { (void)number; count++; }
extern void (*__sysv_signal(int, void (*)(int)))(int);
int main(void) {
  (__sysv_signal)(SIGUSR1, handler);
  assert(count <= 1);
  return 0;
}
