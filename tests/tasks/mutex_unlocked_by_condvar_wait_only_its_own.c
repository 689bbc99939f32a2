// A condition wait releases the mutex that it was given and no other one the thread holds.
// Safe: the second mutex protects `middle` all the time.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t waiting = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, middle;

void *waking(void *arg) {
  pthread_mutex_lock(&waiting);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&waiting);
  if (pthread_mutex_trylock(&kept) == 0) {
    if (middle)
      reach_error();
    pthread_mutex_unlock(&kept);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&kept);
  pthread_create(&t, 0, waking, 0);
  middle = 1;
  pthread_mutex_lock(&waiting);
  while (!ready)
    pthread_cond_wait(&c, &waiting);
  pthread_mutex_unlock(&waiting);
  middle = 0;
  pthread_mutex_unlock(&kept);
  pthread_join(t, 0);
  return 0;
}
