// localtime_r's results are the threads' own.
#include <pthread.h>
#include <time.h>

static void *tell(void *unused) {
  time_t now = 0;
  struct tm date;
  return localtime_r(&now, &date)->tm_year > 200 ? unused : NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, tell, NULL);
  tell(NULL);
  pthread_join(thread, NULL);
  return 0;
}
