// Each thread reads a directory of its own.
#include <dirent.h>
#include <pthread.h>

static void *list(void *path) {
  DIR *directory = opendir(path);
  if (!directory) return NULL;
  struct dirent *entry = readdir(directory);
  if (entry) entry->d_name[0] = 'x';
  closedir(directory);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, list, "one");
  list("two");
  pthread_join(thread, NULL);
  return 0;
}
