// Opposite lock orders under a third mutex: the gate excludes the deadlock, though the lock-order graph has a cycle.
#include <pthread.h>

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *forwards(void *arg) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&gate);
  return 0;
}

void *backwards(void *arg) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&gate);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, forwards, 0);
  pthread_create(&b, 0, backwards, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
