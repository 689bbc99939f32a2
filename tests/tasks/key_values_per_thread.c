// Values of a thread-specific key: null in a new thread, private to each thread, no destructor for a null value.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_key_t key;
int token;

void destructor(void *value) {
  reach_error();
}

void *work(void *arg) {
  if (pthread_getspecific(key) != 0)
    reach_error();
  pthread_setspecific(key, &token);
  if (pthread_getspecific(key) != &token)
    reach_error();
  pthread_setspecific(key, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destructor);
  pthread_setspecific(key, &key);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  if (pthread_getspecific(key) != &key)
    reach_error();
  return 0; // a return from main runs no destructors
}
