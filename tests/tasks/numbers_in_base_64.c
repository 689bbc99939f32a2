// Each thread reads its own text, and only main prints: the numbers are those of POSIX.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static long read_back;

static void *reads(void *text) {
  read_back = a64l(text);
  return NULL;
}

int main(void) {
  pthread_t thread;
  char text[] = "1/";
  pthread_create(&thread, NULL, reads, text);
  assert(a64l("") == 0 && a64l("/") == 1 && a64l("abc") == 166374);
  assert(a64l("zzzzz/") == 2147483647 && a64l("zzzzz/z") == 2147483647);
  assert(l64a(0)[0] == '\0');
  assert(strcmp(l64a(66), "0/") == 0);
  assert(strcmp(l64a(2147483647), "zzzzz/") == 0);
  pthread_join(thread, NULL);
  assert(read_back == 67);
  return 0;
}
