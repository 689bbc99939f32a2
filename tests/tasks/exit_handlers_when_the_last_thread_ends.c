// main leaves with pthread_exit. When the last thread ends, the process exits; the handler sees what all threads did.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int written;

static void look(void) { assert(written == 0); }

static void *write_it(void *argument) {
  written = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  atexit(look);
  pthread_create(&thread, 0, write_it, 0);
  pthread_exit(0);
}
