// write reads as many bytes as it is told; another thread changes the byte behind them.
#include <pthread.h>
#include <unistd.h>

static char buffer[8];
static int length;

static void *change(void *unused) {
  buffer[4] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  length = 4;
  pthread_create(&thread, NULL, change, NULL);
  write(1, buffer, (size_t)length);
  pthread_join(thread, NULL);
  return 0;
}
