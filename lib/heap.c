// The heap.
//
// Exact: sizes, alignments, contents (indeterminate, or zero for calloc), the checks of free and realloc (in
// __heddle_free).
//
// Assumed: allocation succeeds, except of more than PTRDIFF_MAX bytes and where the address space has no room whatever
// happens; realloc always moves the block; `realloc(p, 0)` frees, as glibc's does.
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

#include <stdint.h>

static void HEDDLE_PLAIN(copy)(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = from[i];
}

static void *fail(int code) {
  errno = code;
  return NULL;
}

static int is_power_of_two(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

void *__heddle_out_of_memory(void) { return fail(ENOMEM); }

void *malloc(size_t bytes) { return bytes > PTRDIFF_MAX ? fail(ENOMEM) : __heddle_allocate(bytes); }

void *calloc(size_t count, size_t bytes) {
  if (bytes != 0 && count > PTRDIFF_MAX / bytes) return fail(ENOMEM);
  return __heddle_allocate_zeroed(count * bytes);
}

void free(void *block) {
  if (block) __heddle_free(block);
}

void cfree(void *block) { free(block); }

void *realloc(void *block, size_t bytes) {
  if (!block) return malloc(bytes);
  if (bytes == 0) {
    __heddle_free(block);
    return NULL;
  }
  void *moved = malloc(bytes);
  if (!moved) return NULL;
  size_t old = __heddle_allocated_size(block);
  HEDDLE_PLAIN(copy)(moved, block, old < bytes ? old : bytes);
  __heddle_free(block);
  return moved;
}

void *reallocarray(void *block, size_t count, size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes) return fail(ENOMEM);
  return realloc(block, count * bytes);
}

static void *allocate_aligned(size_t alignment, size_t bytes) {
  return bytes > PTRDIFF_MAX ? fail(ENOMEM) : __heddle_allocate_aligned(bytes, alignment);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return is_power_of_two(alignment) ? allocate_aligned(alignment, bytes) : fail(EINVAL);
}

// As in glibc: any alignment is rounded up to a power of two.
void *memalign(size_t alignment, size_t bytes) {
  size_t rounded = 1;
  if (alignment > SIZE_MAX / 2 + 1) return fail(EINVAL);
  while (rounded < alignment) rounded *= 2;
  return allocate_aligned(rounded, bytes);
}

enum { PAGE = 4096 };
void *valloc(size_t bytes) { return allocate_aligned(PAGE, bytes); }

void *pvalloc(size_t bytes) {
  return bytes > PTRDIFF_MAX - PAGE ? fail(ENOMEM) : allocate_aligned(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
}

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) return EINVAL;
  if (bytes > PTRDIFF_MAX) return ENOMEM;
  void *block = __heddle_allocate_aligned(bytes, alignment);
  if (!block) return ENOMEM;
  HEDDLE_PLAIN(store_pointer)(result, block);
  return 0;
}

size_t malloc_usable_size(void *block) { return block ? __heddle_allocated_size(block) : 0; }

static size_t HEDDLE_PLAIN(length)(const char *string, size_t most) {
  size_t length = 0;
  while (length < most && string[length] != 0) length++;
  return length;
}

static char *HEDDLE_PLAIN(duplicate)(const char *string, size_t length) {
  char *copy = __heddle_allocate(length + 1);
  HEDDLE_PLAIN(copy)(copy, string, length);
  copy[length] = 0;
  return copy;
}

char *strdup(const char *string) { return HEDDLE_PLAIN(duplicate)(string, HEDDLE_PLAIN(length)(string, SIZE_MAX)); }
char *__strdup(const char *string) { return strdup(string); }
char *strndup(const char *string, size_t most) {
  return HEDDLE_PLAIN(duplicate)(string, HEDDLE_PLAIN(length)(string, most));
}
char *__strndup(const char *string, size_t most) { return strndup(string, most); }
