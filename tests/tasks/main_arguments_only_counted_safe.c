// A program that only looks at how many arguments there are gets an answer, whatever the count.
// Safe: with the right count one thread is created and joined; with any other count nothing happens.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int shared;

void *work(void *argument) {
  shared++;
  return 0;
}

int main(int argc, char **argv) {
  pthread_t worker;
  if (argc < 3) {
    fprintf(stderr, "two arguments are needed\n");
    exit(2);
  }
  pthread_create(&worker, 0, work, 0);
  pthread_join(worker, 0);
  assert(shared == 1 && argc > 2);
  return 0;
}
