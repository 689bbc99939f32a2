// Both threads try; a thread that gets the mutex increments. No update of a successful try is lost.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
_Atomic int successes;

void *trying(void *arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    x++;
    pthread_mutex_unlock(&m);
    successes++;
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, trying, 0);
  pthread_create(&b, 0, trying, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == successes && x >= 1);
  return 0;
}
