// The blocks that two threads copy share their last and first byte. No other statement touches the buffer.
#include <pthread.h>
#include <string.h>

static char buffer[64], spare[33];

static void *upper(void *unused) {
  memset(buffer + 32, 1, 32);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, upper, NULL);
  memcpy(spare, buffer, sizeof spare); // reads buffer[32], too
  pthread_join(thread, NULL);
  return 0;
}
