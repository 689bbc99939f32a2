// localtime's result is one for all threads.
#include <pthread.h>
#include <time.h>

static void *tell(void *unused) {
  time_t now = 0;
  return localtime(&now)->tm_year > 200 ? unused : NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, tell, NULL);
  tell(NULL);
  pthread_join(thread, NULL);
  return 0;
}
