// As struct_assignment_not_atomic, under a mutex.
// Safe: the reader sees the old or the new pair.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

struct pair {
  int first, second;
} shared, fresh = {1, 1};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *assigning(void *arg) {
  pthread_mutex_lock(&m);
  shared = fresh;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, assigning, 0);
  pthread_mutex_lock(&m);
  struct pair seen = shared;
  pthread_mutex_unlock(&m);
  if (seen.first != seen.second)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
