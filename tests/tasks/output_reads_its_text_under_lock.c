// printf reads the text of %s, and another thread changes it: both hold a mutex.
#include <pthread.h>
#include <stdio.h>

static char name[8] = "one";
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused) {
  pthread_mutex_lock(&guard);
  name[1] = 'N';
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  pthread_mutex_lock(&guard);
  printf("%s of %d\n", name, 3);
  pthread_mutex_unlock(&guard);
  pthread_join(thread, NULL);
  return 0;
}
