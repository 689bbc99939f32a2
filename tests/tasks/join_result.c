// join hands out what the thread returned or gave to pthread_exit, also from a nested call.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static int token;

static void leave(void) {
  pthread_exit(&token);
  reach_error();
}

void *returns(void *arg) {
  return (char *)arg + 1;
}

void *exits(void *arg) {
  leave();
  return 0;
}

int main(void) {
  pthread_t a, b;
  void *result = 0;
  char bytes[2];
  pthread_create(&a, 0, returns, bytes);
  pthread_create(&b, 0, exits, 0);
  if (pthread_join(a, &result) != 0 || result != bytes + 1)
    reach_error();
  if (pthread_join(b, &result) != 0 || result != &token)
    reach_error();
  return 0;
}
