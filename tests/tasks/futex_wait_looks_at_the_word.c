// The word is changed before the wake: a wait that comes too late does not wait.
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
  atomic_store(&word, 1);
  wake_one();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wake, NULL);
  while (atomic_load(&word) == 0) await_change();
  pthread_join(thread, NULL);
  return 0;
}
