// The destructors of keys run when a cancelled thread ends, after its cleanup handlers.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static pthread_key_t key;
static int order;

static void clean(void *argument) {
  (void)argument;
  if (order != 0) reach_error();
  order = 1;
}

static void destroy(void *argument) {
  (void)argument;
  if (order != 1) reach_error();
  order = 2;
}

static void *work(void *argument) {
  pthread_setspecific(key, &key);
  pthread_cleanup_push(clean, NULL);
  for (;;) pthread_testcancel();
  pthread_cleanup_pop(0);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destroy);
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  if (order != 2) reach_error();
  return 0;
}
