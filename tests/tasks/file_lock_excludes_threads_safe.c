// flock belongs to the open file: two threads that opened it each have to wait for each other.
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

static int count;

static void *work(void *unused) {
  int file = open("count.lock", O_RDWR);
  if (file < 0) return NULL;
  if (flock(file, LOCK_EX) == 0) count++;
  close(file);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
