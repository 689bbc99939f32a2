// main leaves by pthread_exit with a value in a key: the destructor runs.
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
  pthread_exit(0);
}
