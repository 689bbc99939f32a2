// sin is never 0.7 here; the model does not know that.
#include <math.h>
#include <pthread.h>

double input;
int shared;

void *thread(void *argument) {
  if (sin(input) == 0.7) shared = 1;
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  shared = 2;
  pthread_join(other, NULL);
  return 0;
}
