// Mutexes that are initialised: zero, by an initialiser each round, by calloc, by memset, by pthread_mutex_init.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shared {
  int value;
  pthread_mutex_t lock;
};

static pthread_mutex_t zero;

static void use(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
}

int main(void) {
  use(&zero);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    use(&own);
  }
  struct shared *first = calloc(1, sizeof *first), second, third;
  use(&first->lock);
  memset(&second, 0, sizeof second);
  use(&second.lock);
  pthread_mutex_init(&third.lock, NULL);
  use(&third.lock);
  pthread_mutex_destroy(&third.lock);
  free(first);
  return 0;
}
