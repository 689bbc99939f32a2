// printf reads two characters of the text, and another thread changes the third one: no race.
#include <pthread.h>
#include <stdio.h>

static char name[8] = "one";

static void *change(void *unused) {
  name[2] = 'E';
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  printf("%.*s\n", 2, name);
  pthread_join(thread, NULL);
  return 0;
}
