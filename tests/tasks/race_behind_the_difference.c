// memcmp may read all bytes, also those behind the first difference.
#include <pthread.h>
#include <string.h>

char name[4] = "abc";

void *thread(void *argument) {
  name[2] = 'd';
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  int different = memcmp(name, "xyz", 3) != 0;
  pthread_join(other, NULL);
  return different;
}
