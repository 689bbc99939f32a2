// The table of descriptors: a bit for each of MOST_DESCRIPTORS. 0, 1 and 2 are open at the beginning.
//
// At most MOST_DESCRIPTORS are open at a time; beyond, the answer is UNKNOWN. A file of <stdio.h> takes none.
#include "descriptors.h"
#include "results.h"

enum { MOST_DESCRIPTORS = 32 };

static unsigned open_descriptors = 7;

static int lowest_free(unsigned taken) { return __builtin_ctz(~taken); }

int __heddle_descriptor_open(void) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  __heddle_atomic_begin();
  unsigned taken = open_descriptors;
  int descriptor = lowest_free(taken);
  open_descriptors = taken | 1u << (descriptor & 31);
  __heddle_atomic_end();
  if (taken == ~0u) __heddle_unmodelled("more than 32 descriptors");
  return descriptor;
}

int __heddle_descriptor_take(int descriptor) {
  if (descriptor < 0) return fail_with(EBADF);
  if (descriptor >= MOST_DESCRIPTORS) __heddle_unmodelled("a descriptor above 31");
  __heddle_atomic_begin();
  open_descriptors |= 1u << descriptor;
  __heddle_atomic_end();
  return descriptor;
}

int __heddle_descriptor_close(int descriptor) {
  if ((unsigned)descriptor >= MOST_DESCRIPTORS) return fail_with(EBADF);
  unsigned bit = 1u << descriptor;
  __heddle_atomic_begin();
  unsigned taken = open_descriptors;
  open_descriptors = taken & ~bit;
  __heddle_atomic_end();
  return taken & bit ? zero_or_failure() : fail_with(EBADF);
}

static int data_kinds = 0;

void __heddle_note_data(int kind) {
  __heddle_atomic_begin();
  data_kinds |= kind;
  __heddle_atomic_end();
}

int __heddle_data_is_own(int may_be_own) {
  int kinds = HEDDLE_PEEK(int)(&data_kinds);
  return may_be_own & ((kinds & OWN_DATA) != 0 || kinds == (LISTENS | CONNECTS));
}

// It is a guess that the execution continues here.
void __heddle_read_data(int may_be_own) {
  if (__heddle_data_is_own(may_be_own)) __heddle_assume(__heddle_guess_course());
}

static int file_owner = 0; // the thread that succeeded last; 0: none since its lock was given back

void __heddle_file_excludes(void) {
  int self = __heddle_self_number();
  __heddle_atomic_begin();
  int before = file_owner;
  file_owner = self;
  __heddle_atomic_end();
  if (before != 0 && before != self) __heddle_assume(__heddle_guess_course());
}

void __heddle_file_released(void) {
  __heddle_atomic_begin();
  if (file_owner == __heddle_self_number()) file_owner = 0;
  __heddle_atomic_end();
}
