// The word is not changed, so that a wake which comes before the wait is lost.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void await_change(void) { syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); }
static void wake_one(void) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

static void *wake(void *unused) {
  wake_one();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wake, NULL);
  await_change();
  pthread_join(thread, NULL);
  return 0;
}
