// The heap.
//
// Exact: sizes, contents (indeterminate, or zero for calloc), the checks of free and realloc (in __heddle_free).
//
// Assumed: allocation succeeds, except where the size itself overflows; realloc always moves the block; blocks are
// aligned as malloc's are, which a program that asks for more can only notice by looking at address bits.
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

void *malloc(size_t bytes) { return __heddle_allocate(bytes); }

void *calloc(size_t count, size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes) return fail(ENOMEM);
  return __heddle_allocate_zeroed(count * bytes);
}

void free(void *block) {
  if (block) __heddle_free(block);
}

void cfree(void *block) { free(block); }

void *realloc(void *block, size_t bytes) {
  if (!block) return __heddle_allocate(bytes);
  if (bytes == 0) {
    __heddle_free(block);
    return NULL;
  }
  size_t old = __heddle_allocated_size(block);
  void *moved = __heddle_allocate(bytes);
  HEDDLE_PLAIN(copy)(moved, block, old < bytes ? old : bytes);
  __heddle_free(block);
  return moved;
}

void *reallocarray(void *block, size_t count, size_t bytes) {
  if (bytes != 0 && count > SIZE_MAX / bytes) return fail(ENOMEM);
  return realloc(block, count * bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return is_power_of_two(alignment) ? __heddle_allocate(bytes) : fail(EINVAL);
}

void *memalign(size_t alignment, size_t bytes) { return __heddle_allocate(bytes); }
void *valloc(size_t bytes) { return __heddle_allocate(bytes); }
void *pvalloc(size_t bytes) { return __heddle_allocate(bytes); }

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) return EINVAL;
  HEDDLE_PLAIN(store_pointer)(result, __heddle_allocate(bytes));
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
