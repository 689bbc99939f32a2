// A program of two files. The other file defines counter_add and counter_get, and a static variable of the same name
// as the one here. Safe with two_files_counter.c, unsafe with two_files_counter_broken.c, which forgets the lock.
#include "two_files_counter.h"
#include <assert.h>
#include <pthread.h>

static int total = 77; // another variable than the counter's

void *adding(void *arg) {
  counter_add(1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adding, 0);
  counter_add(2);
  pthread_join(t, 0);
  assert(counter_get() == 3);
  assert(total == 77);
  return 0;
}
