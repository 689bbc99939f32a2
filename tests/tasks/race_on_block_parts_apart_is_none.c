// Each thread fills, moves and copies its own half of a buffer that only block operations touch: no byte is shared.
#include <pthread.h>
#include <string.h>

static char buffer[64], spare[64];

static void *upper(void *unused) {
  memset(buffer + 32, 1, 32);
  memmove(buffer + 40, buffer + 32, 8);
  memcpy(spare + 32, buffer + 32, 32);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, upper, NULL);
  memset(buffer, 2, 32);
  memmove(buffer, buffer + 16, 16);
  memcpy(spare, buffer, 32);
  pthread_join(thread, NULL);
  return 0;
}
