// Both threads print into the text that l64a shares, so one may see the other's digits.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *prints(void *unused) {
  l64a(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, prints, NULL);
  char *text = l64a(2);
  assert(text[0] == '0');
  pthread_join(thread, NULL);
  return 0;
}
