// Twelve keys, made in a loop; each thread has values of its own.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

enum { KEYS = 12 };
static pthread_key_t keys[KEYS];

int main(void) {
  for (int i = 0; i < KEYS; i++) pthread_key_create(&keys[i], NULL);
  pthread_setspecific(keys[KEYS - 1], &keys);
  if (pthread_getspecific(keys[0]) || pthread_getspecific(keys[KEYS - 1]) != &keys) reach_error();
  return 0;
}
