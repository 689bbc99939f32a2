#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void memory_exhausted(const Account *account, size_t wanted) {
  // No allocation happens here: the heap may be full. The process ends without running exit handlers, as those belong
  // to the parent that forked it.
  if (account && account->silent) _exit(EXIT_OUT_OF_MEMORY);
  char message[160];
  int length = snprintf(message, sizeof message, "heddle: out of memory in %s (%zu bytes in use, %zu more wanted)\n",
                        account && account->room ? account->room : "program", account ? account->bytes : 0, wanted);
  if (length > 0) {
    size_t count = (size_t)length < sizeof message ? (size_t)length : sizeof message - 1;
    ssize_t written = write(STDERR_FILENO, message, count);
    (void)written;
  }
  _exit(EXIT_OUT_OF_MEMORY);
}

void memory_refused(void) { _exit(EXIT_OUT_OF_MEMORY); }

static void charge(Account *account, size_t old_bytes, size_t new_bytes) {
  if (!account) return;
  assert(account->bytes >= old_bytes);
  size_t rest = account->bytes - old_bytes;
  if (new_bytes > old_bytes && account->limit && (rest > account->limit || new_bytes > account->limit - rest))
    memory_exhausted(account, new_bytes - old_bytes);
  account->bytes = rest + new_bytes;
  if (account->bytes > account->peak) account->peak = account->bytes;
}

void *memory_resize(Account *account, void *block, size_t old_bytes, size_t new_bytes) {
  assert((block == NULL) == (old_bytes == 0));
  charge(account, old_bytes, new_bytes);
  if (new_bytes == 0) {
    free(block);
    return NULL;
  }
  void *moved = realloc(block, new_bytes);
  if (!moved) memory_exhausted(account, new_bytes);
  return moved;
}

void *memory_allocate(Account *account, size_t bytes) { return memory_resize(account, NULL, 0, bytes); }

void *memory_allocate_zeroed(Account *account, size_t bytes) {
  charge(account, 0, bytes);
  if (bytes == 0) return NULL;
  void *block = calloc(1, bytes); // large blocks come zeroed from the system, untouched
  if (!block) memory_exhausted(account, bytes);
  return block;
}

void memory_free(Account *account, void *block, size_t bytes) { memory_resize(account, block, bytes, 0); }
