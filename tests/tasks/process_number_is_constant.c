// All threads are of one process, whose number does not change.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pid_t seen;

static void *look(void *unused) {
  seen = getpid();
  return unused;
}

int main(void) {
  pthread_t thread;
  pid_t own = getpid();
  pthread_create(&thread, NULL, look, NULL);
  pthread_join(thread, NULL);
  assert(seen == own && own > 0 && getppid() == getppid());
  return 0;
}
