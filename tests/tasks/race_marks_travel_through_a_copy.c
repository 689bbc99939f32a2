// `middle` is filled in halves by main, and copied as a whole to `last`, whose second half another thread fills. The
// border that the halves make has to be known on both sides of the copy: only the second half of `last` is shared.
#include <pthread.h>
#include <string.h>

static char first[16], middle[16], last[16];

static void *fill(void *unused) {
  memset(last + 8, 1, 8);
  return unused;
}

int main(void) {
  pthread_t thread;
  memset(middle, 1, 8);
  memset(middle + 8, 2, 8);
  memcpy(first, middle, 8);
  pthread_create(&thread, NULL, fill, NULL);
  memcpy(last, middle, 16);
  pthread_join(thread, NULL);
  return 0;
}
