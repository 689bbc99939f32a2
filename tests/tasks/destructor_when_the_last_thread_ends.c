// A destructor function runs in the thread that is the last to end, here not main.
#include <assert.h>
#include <pthread.h>

pthread_t first;

__attribute__((destructor)) static void end(void) { assert(pthread_equal(pthread_self(), first)); }

static void *nothing(void *argument) { return 0; }

int main(void) {
  pthread_t thread;
  first = pthread_self();
  pthread_create(&thread, 0, nothing, 0);
  pthread_exit(0);
}
