// The second file of the task two_files: a counter under a mutex.
#include "two_files_counter.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

void counter_add(int amount) {
  pthread_mutex_lock(&lock);
  total += amount;
  pthread_mutex_unlock(&lock);
}

int counter_get(void) {
  return total;
}
