// A waiting loop that only takes and releases a mutex, and a thread that can tell whether it is held.
// Unsafe: three rounds are seen by three attempts that fail, with successful ones in between.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int stop;

static int is_held(void) {
  if (pthread_mutex_trylock(&lock) != 0)
    return 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

void *observer(void *arg) {
  if (!is_held() || is_held() || !is_held() || is_held() || !is_held())
    return 0;
  reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, observer, 0);
  while (!stop) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
