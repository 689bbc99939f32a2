// Without a waiter a wake wakes none. How many it wakes is not computed: a violation that hangs on it is none.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int word;

int main(void) {
  assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
  return 0;
}
