// A thread-local variable dies with its thread. Not modelled, and said so.
#include <pthread.h>

_Thread_local int own;

void *worker(void *unused) { return &own; }

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, &result);
  return *(int *)result;
}
