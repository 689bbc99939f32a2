// Destructors are part of the thread: the join waits for them, and the value is null while one runs.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_key_t key;
int calls;

void destructor(void *value) {
  if (value != &key || pthread_getspecific(key) != 0)
    reach_error();
  calls++;
}

void *work(void *arg) {
  pthread_setspecific(key, &key);
  pthread_exit(0);
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destructor);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  if (calls != 1)
    reach_error();
  return 0;
}
