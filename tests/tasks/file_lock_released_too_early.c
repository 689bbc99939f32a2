// The file is unlocked before the last access.
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *tell(void *unused) {
  flockfile(stdout);
  lines++;
  funlockfile(stdout);
  lines++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, tell, NULL);
  tell(NULL);
  pthread_join(thread, NULL);
  return 0;
}
