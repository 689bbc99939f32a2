// Maps of memory. An anonymous map at an address that the system chooses is a block of zeros, and unmapping it as a
// whole frees it. Maps of files, maps at fixed addresses, unmapping a part, and taking away the right to read or write
// end with UNKNOWN.
//
// A map begins at a page and consists of whole pages. Assumed: mapping succeeds, as allocation does.
#define _GNU_SOURCE
#include "results.h"

#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static size_t whole_pages(size_t bytes) { return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1); }

static void *map(size_t bytes, int protection, int flags) {
  if (!(flags & MAP_ANONYMOUS)) __heddle_unmodelled("mmap of a file");
  if (flags & MAP_FIXED) __heddle_unmodelled("mmap at a fixed address");
  if (bytes == 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
    __heddle_unmodelled("mmap of memory that may not be read or written");
  void *block = bytes > PTRDIFF_MAX - PAGE ? __heddle_out_of_memory() : __heddle_allocate_map(whole_pages(bytes), PAGE);
  return block ? block : MAP_FAILED;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  return map(bytes, protection, flags);
}

void *mmap64(void *address, size_t bytes, int protection, int flags, int descriptor, __off64_t offset) {
  return map(bytes, protection, flags);
}

int munmap(void *address, size_t bytes) {
  if (__heddle_allocated_size(address) != whole_pages(bytes)) __heddle_unmodelled("munmap of a part");
  __heddle_free_own(address);
  return 0;
}

void *mremap(void *address, size_t old, size_t bytes, int flags, ...) { __heddle_unmodelled("mremap"); }

int mprotect(void *address, size_t bytes, int protection) {
  if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
    __heddle_unmodelled("mprotect that takes a right away");
  return zero_or_failure();
}

int madvise(void *address, size_t bytes, int advice) {
  if (advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == MADV_FREE)
    __heddle_unmodelled("madvise that drops contents");
  return zero_or_failure();
}

int posix_madvise(void *address, size_t bytes, int advice) { return 0; }
int msync(void *address, size_t bytes, int flags) { return zero_or_failure(); }
int mlock(const void *address, size_t bytes) { return zero_or_failure(); }
int munlock(const void *address, size_t bytes) { return zero_or_failure(); }
int mlockall(int flags) { return zero_or_failure(); }
int munlockall(void) { return zero_or_failure(); }

int shmget(int key, size_t bytes, int flags) { __heddle_unmodelled("shmget"); }
void *shmat(int number, const void *address, int flags) { __heddle_unmodelled("shmat"); }
int shmdt(const void *address) { __heddle_unmodelled("shmdt"); }
