// What a thread reads from a pipe the other one has written before: the value is there, and nothing races.
#include <pthread.h>
#include <unistd.h>

void reach_error(void);

static int ends[2], value;

static void *produce(void *unused) {
  value = 7;
  write(ends[1], "v", 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  char letter;
  if (pipe(ends) != 0) return 1;
  pthread_create(&thread, NULL, produce, NULL);
  if (read(ends[0], &letter, 1) == 1 && (value != 7 || letter != 'v')) reach_error();
  pthread_join(thread, NULL);
  return 0;
}
