// Sets of signals: exact. The first 64 bits of a sigset_t, bit n-1 for signal n, are accessed as user data.
#include "signals.h"

#include <stddef.h>
#include <stdint.h>

#define WORD(set) (*(unsigned long long *)(set))

static int is_number(int number) {
  if (number >= 1 && number <= HEDDLE_SIGNALS) return 1;
  errno = EINVAL;
  return 0;
}

static void HEDDLE_PLAIN(write_word)(sigset_t *set, unsigned long long word) { WORD(set) = word; }
static unsigned long long HEDDLE_PLAIN(read_word)(const sigset_t *set) { return WORD(set); }

int sigemptyset(sigset_t *set) {
  HEDDLE_PLAIN(write_word)(set, 0);
  return 0;
}

int sigfillset(sigset_t *set) {
  HEDDLE_PLAIN(write_word)(set, ~0ull);
  return 0;
}

int sigaddset(sigset_t *set, int number) {
  if (!is_number(number)) return -1;
  HEDDLE_PLAIN(write_word)(set, HEDDLE_PLAIN(read_word)(set) | signal_bit(number));
  return 0;
}

int sigdelset(sigset_t *set, int number) {
  if (!is_number(number)) return -1;
  HEDDLE_PLAIN(write_word)(set, HEDDLE_PLAIN(read_word)(set) & ~signal_bit(number));
  return 0;
}

int sigismember(const sigset_t *set, int number) {
  if (!is_number(number)) return -1;
  return (HEDDLE_PLAIN(read_word)(set) & signal_bit(number)) != 0;
}

int sigisemptyset(const sigset_t *set) { return HEDDLE_PLAIN(read_word)(set) == 0; }

int sigorset(sigset_t *set, const sigset_t *left, const sigset_t *right) {
  HEDDLE_PLAIN(write_word)(set, HEDDLE_PLAIN(read_word)(left) | HEDDLE_PLAIN(read_word)(right));
  return 0;
}

int sigandset(sigset_t *set, const sigset_t *left, const sigset_t *right) {
  HEDDLE_PLAIN(write_word)(set, HEDDLE_PLAIN(read_word)(left) & HEDDLE_PLAIN(read_word)(right));
  return 0;
}

char *strsignal(int number) { return "Signal"; }
void psignal(int number, const char *text) {
  if (text) __heddle_read_string(text, SIZE_MAX);
}
