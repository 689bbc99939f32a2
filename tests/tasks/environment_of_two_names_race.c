// One thread sets a variable while another looks for a different one: both use the one table of the environment.
#include <pthread.h>
#include <stdlib.h>

static void *set(void *unused) {
  setenv("LEVEL", "2", 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  char *place = getenv("PLACE");
  pthread_join(thread, NULL);
  return place == NULL;
}
