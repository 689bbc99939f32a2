// What is stored is not known to the model, and does not matter for the race.
#include <math.h>
#include <pthread.h>

double input, output;

void *thread(void *argument) {
  output = sin(input);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  output = 1;
  pthread_join(other, NULL);
  return 0;
}
