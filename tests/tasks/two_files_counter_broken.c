// The second file of the task two_files_broken: the counter without its mutex.
#include "two_files_counter.h"

static int total;

void counter_add(int amount) {
  total += amount;
}

int counter_get(void) {
  return total;
}
