// A thread in a slot that was used before must not find the last run's local variable in its own: it holds any value.
#include <assert.h>
#include <pthread.h>

static int runs;

static void touch(char *place) {
  if (runs == 1) assert(*place != 3);
  *place = 5;
}

static void *run(void *unused) {
  char local;
  touch(&local);
  return unused;
}

int main(void) {
  for (runs = 0; runs < 2; runs++) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
  }
  return 0;
}
