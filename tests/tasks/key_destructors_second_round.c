// A destructor that sets the key again is called in another round.
// Unsafe: the second call fails.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_key_t key;
int calls;

void destructor(void *value) {
  calls++;
  if (calls == 1)
    pthread_setspecific(key, &calls);
  else
    reach_error();
}

void *work(void *arg) {
  pthread_setspecific(key, &key);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destructor);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
