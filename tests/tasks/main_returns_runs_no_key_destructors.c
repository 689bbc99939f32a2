// main returns with a value in a key: the process ends as by exit, without key destructors.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

void destructor(void *value) {
  reach_error();
}

int main(void) {
  pthread_key_t key;
  pthread_key_create(&key, destructor);
  pthread_setspecific(key, &key);
  return 0;
}
