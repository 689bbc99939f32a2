// A struct that is passed by value in memory is read by the call, also where the callee does not look at its parameter.
// The other thread writes one of its members without any order: a data race.
#include <pthread.h>

struct record {
  long fields[5];
  char mark;
};

struct record shared;

void ignore(struct record copy) { (void)sizeof copy; }

void *writer(void *argument) {
  (void)argument;
  shared.mark = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  ignore(shared);
  pthread_join(thread, 0);
  return 0;
}
