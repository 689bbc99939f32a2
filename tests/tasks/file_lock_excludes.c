// flockfile is a lock, which one thread may take several times.
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *tell(void *unused) {
  flockfile(stdout);
  flockfile(stdout);
  lines++;
  funlockfile(stdout);
  lines++;
  funlockfile(stdout);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, tell, NULL);
  tell(NULL);
  pthread_join(thread, NULL);
  return 0;
}
