// The destructor of a key runs when a thread ends with a value that is not null.
// Unsafe: it gets the value and fails.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_key_t key;
int token;

void destructor(void *value) {
  if (value == &token)
    reach_error();
}

void *work(void *arg) {
  pthread_setspecific(key, &token);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destructor);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
