// A file that must not exist before is made by one of the threads, a directory as well: only that thread counts.
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

static int count, other;

static void *work(void *unused) {
  if (open("count.lock", O_CREAT | O_EXCL | O_RDWR, 0600) >= 0) count++;
  if (mkdir("other.lock", 0700) == 0) other++;
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
