// Two threads wait, and one of them is woken.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void await_change(void) { syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); }
static void wake_one(void) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

static void *await(void *unused) {
  await_change();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, await, NULL);
  atomic_store(&word, 1);
  wake_one();
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
