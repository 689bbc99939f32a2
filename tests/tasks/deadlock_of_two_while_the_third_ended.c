// Main leaves with pthread_exit; the third thread ends. The other two wait for each other's lock, behind local steps.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int sum;

static void *first(void *argument) {
  int local = 1;
  pthread_mutex_lock(&a);
  local = local * 3 + sum;
  pthread_mutex_lock(&b);
  sum += local;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *second(void *argument) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}

static void *third(void *argument) { return 0; }

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_create(&threads[2], 0, third, 0);
  pthread_exit(0);
}
