// Two traffic lights at a crossing, switched by one thread; a car waits for its light, drives, and comes again.
#include <pthread.h>
#include <stdatomic.h>

enum { RED, GREEN, YELLOW };
_Atomic unsigned char north, east; // lights
atomic_bool driving;

static void *switching(void *argument) {
  (void)argument;
  for (;;) {
    north = GREEN;
    north = YELLOW;
    while (driving) {
    }
    north = RED;
    east = GREEN;
    east = YELLOW;
    east = RED;
  }
}

static void *car(void *argument) {
  (void)argument;
  for (;;) {
  stops:
    while (north != GREEN) {
    }
    driving = 1;
    driving = 0;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, switching, 0);
  pthread_create(&threads[1], 0, car, 0);
  pthread_join(threads[0], 0);
}
