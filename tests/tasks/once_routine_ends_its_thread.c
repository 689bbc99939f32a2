// The first run of the routine ends its thread, so that the next caller runs it again: the count becomes 2.
#include <pthread.h>

void reach_error(void);

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int runs;

static void prepare(void) {
  runs++;
  if (runs == 1) pthread_exit(NULL);
}

static void *work(void *unused) {
  pthread_once(&control, prepare);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(second, NULL);
  if (runs == 2) reach_error();
  return 0;
}
