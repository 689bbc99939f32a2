// Two threads hand the same buffer to a function without a body. It is a race if the function writes to it.
#include <pthread.h>

static char buffer[16];
extern void log_it(char *text);

static void *tell(void *unused) {
  log_it(buffer);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, tell, NULL);
  log_it(buffer);
  pthread_join(thread, NULL);
  return 0;
}
