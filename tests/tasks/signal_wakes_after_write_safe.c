// A thread pauses until main, which has written, sends it a signal. Nothing else sends one.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int value;

static void handle(int number) { (void)number; }

static void *work(void *unused) {
  pause();
  value++;
  return NULL;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, work, NULL);
  value = 5;
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
