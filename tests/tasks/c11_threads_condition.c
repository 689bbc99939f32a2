// C11 condition variables, call_once, thread-specific storage and thrd_exit.
#include <assert.h>
#include <threads.h>

mtx_t lock;
cnd_t changed;
once_flag once = ONCE_FLAG_INIT;
tss_t key;
int ready, calls;

void initialise(void) { calls++; }

int producer(void *arg) {
  call_once(&once, initialise);
  assert(tss_get(key) == 0);
  mtx_lock(&lock);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  thrd_exit(3);
}

int main(void) {
  thrd_t t;
  int result;
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  tss_create(&key, 0);
  tss_set(key, &lock);
  thrd_create(&t, producer, 0);
  call_once(&once, initialise);
  mtx_lock(&lock);
  while (!ready)
    cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  thrd_join(t, &result);
  assert(result == 3 && calls == 1 && tss_get(key) == &lock);
  return 0;
}
