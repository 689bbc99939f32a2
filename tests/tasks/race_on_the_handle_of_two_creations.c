// Two threads store the handle of a new thread in the same variable: pthread_create does not protect it.
#include <pthread.h>

pthread_t shared;

void *nothing(void *unused) { return NULL; }

void *creator(void *unused) {
  pthread_create(&shared, NULL, nothing, NULL);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, creator, NULL);
  pthread_create(&shared, NULL, nothing, NULL);
  pthread_join(t, NULL);
  return 0;
}
