// What the thread runs is the error function itself, whose body is empty.
#include <pthread.h>

void *reach_error(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reach_error, 0);
  pthread_join(thread, 0);
  return 0;
}
