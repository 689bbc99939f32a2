// Two files that are open at a time are two objects. Each thread locks its own one, so nothing orders the accesses to
// the counter; and no thread waits for the lock of the other.
#include <pthread.h>
#include <stdio.h>

int counter;

void *count(void *file) {
  flockfile(file);
  counter++;
  funlockfile(file);
  return 0;
}

int main(void) {
  pthread_t thread;
  FILE *first = fopen("first", "w"), *second = fopen("second", "w");
  if (!first || !second) return 1;
  pthread_create(&thread, 0, count, first);
  count(second);
  pthread_join(thread, 0);
  fclose(first);
  fclose(second);
  return 0;
}
