// memset writes bytes 3 to 23, main writes byte 22 meanwhile: a race, although the bytes of the fill may be written
// many at a time.
#include <pthread.h>
#include <string.h>

static char buffer[40];

static void *work(void *argument) {
  memset(buffer + 3, 1, 21);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  for (int i = 0; i < 40; i += 2)
    if (i < 3 || i > 20) buffer[i] = 2;
  pthread_join(thread, 0);
  return 0;
}
