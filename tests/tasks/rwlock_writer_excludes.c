// A writer excludes readers and other writers.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int first, second;

void *writing(void *arg) {
  pthread_rwlock_wrlock(&lock);
  first++;
  second++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

void *reading(void *arg) {
  pthread_rwlock_rdlock(&lock);
  if (first != second)
    reach_error();
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writing, 0);
  pthread_create(&b, 0, reading, 0);
  writing(0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (first != 2)
    reach_error();
  return 0;
}
