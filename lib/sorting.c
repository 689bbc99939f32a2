// qsort and bsearch: exact up to the order in which the comparison function is called and equal elements end up, which
// C leaves open (insertion sort here). Elements are moved by ordinary accesses.
#include "heddle.h"

#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word4;
typedef uint64_t __attribute__((may_alias)) word8;

#define SWAP_AS(type)                                                                                                  \
  for (size_t i = 0; i < bytes / sizeof(type); i++) {                                                                  \
    type kept = ((type *)one)[i];                                                                                      \
    ((type *)one)[i] = ((type *)other)[i];                                                                             \
    ((type *)other)[i] = kept;                                                                                         \
  }

// Moves words if they tile an element, so that cells of integers and pointers are not split.
static void HEDDLE_PLAIN(swap)(char *one, char *other, size_t bytes) {
  if (bytes % 8 == 0) {
    SWAP_AS(word8)
  } else if (bytes % 4 == 0) {
    SWAP_AS(word4)
  } else {
    SWAP_AS(char)
  }
}

void qsort(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *)) {
  char *array = base;
  for (size_t sorted = 1; sorted < count; sorted++) {
    for (size_t i = sorted; i > 0; i--) {
      char *right = array + i * bytes, *left = right - bytes;
      if (compare(left, right) <= 0) break;
      HEDDLE_PLAIN(swap)(left, right, bytes);
    }
  }
}

void qsort_r(void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *, void *),
             void *context) {
  char *array = base;
  for (size_t sorted = 1; sorted < count; sorted++) {
    for (size_t i = sorted; i > 0; i--) {
      char *right = array + i * bytes, *left = right - bytes;
      if (compare(left, right, context) <= 0) break;
      HEDDLE_PLAIN(swap)(left, right, bytes);
    }
  }
}

void *bsearch(const void *key, const void *base, size_t count, size_t bytes,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *element = (const char *)base + middle * bytes;
    int order = compare(key, element);
    if (order == 0) return (void *)element;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}
