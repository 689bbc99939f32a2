// printf reads the text of %s, although nothing is done with it: another thread changes the text at the same time.
#include <pthread.h>
#include <stdio.h>

static char name[8] = "one";

static void *change(void *unused) {
  name[1] = 'N';
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  printf("%s of %d\n", name, 3);
  pthread_join(thread, NULL);
  return 0;
}
