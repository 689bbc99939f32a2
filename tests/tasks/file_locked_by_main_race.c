// Main locks a file so that the program runs once; its threads race all the same.
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>

static int count;

static void *work(void *unused) {
  count++; // races
  return NULL;
}

int main(void) {
  int file = open("running.lock", O_RDWR);
  if (file < 0 || flock(file, LOCK_EX | LOCK_NB) != 0) return 1;
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
