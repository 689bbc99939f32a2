// The child is created under the lock that the worker needs, and takes none itself: its creator may have released the
// lock when it looks. Before its birth it already counts among those that may see what the worker does.
#include <pthread.h>

void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *child(void *arg) {
  if (x)
    reach_error();
  return 0;
}

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}

void *creator(void *arg) {
  pthread_t c;
  pthread_mutex_lock(&m);
  pthread_create(&c, 0, child, 0);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, creator, 0);
  pthread_exit(0);
}
