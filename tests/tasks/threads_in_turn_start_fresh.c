// A thread that runs in a slot for the second time finds its thread-locals, keys and errno as new threads do.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static __thread int zero;
static __thread int seven = 7;
static __thread struct {
  char text[6];
  int number;
} both = {"abc", 5};
static pthread_key_t key;

static void *look(void *argument) {
  assert(zero == 0 && seven == 7 && both.number == 5 && both.text[1] == 'b');
  assert(pthread_getspecific(key) == NULL && errno == 0);
  zero = seven = both.number = 1;
  both.text[1] = 'x';
  errno = EINVAL;
  pthread_setspecific(key, argument);
  pthread_exit(argument);
}

int main(void) {
  int here;
  pthread_key_create(&key, NULL);
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, &here);
    pthread_join(thread, NULL);
  }
  return 0;
}
