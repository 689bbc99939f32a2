// CPU_COUNT, a call of a function that the program never names, reads the set that another thread changes.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

static cpu_set_t set;

static void *add(void *argument) {
  CPU_SET(3, &set);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  (void)CPU_COUNT(&set);
  pthread_join(thread, NULL);
}
