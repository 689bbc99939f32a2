// Searching in sorted arrays.
//
// SORTED_FIND(function, Element, member, Key) generates `size_t function(const Element *items, size_t count, Key key)`:
// the index of the first element whose member is not below the key; `count` if there is none. The elements must be
// ordered by the member, which is written as it is accessed (`.address`). An array of keys is searched by the functions
// below.
#ifndef HEDDLE_BASE_SORTED_H
#define HEDDLE_BASE_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SORTED_FIND(function, Element, member, Key)                                                                    \
  static inline __attribute__((unused)) size_t function(const Element *items, size_t count, Key key) {                 \
    size_t low = 0, high = count;                                                                                      \
    while (low < high) {                                                                                               \
      size_t middle = low + (high - low) / 2;                                                                          \
      if (items[middle] member < key)                                                                                  \
        low = middle + 1;                                                                                              \
      else                                                                                                             \
        high = middle;                                                                                                 \
    }                                                                                                                  \
    return low;                                                                                                        \
  }                                                                                                                    \
  typedef Element function##_element

SORTED_FIND(sorted_find_u32, uint32_t, , uint32_t);
SORTED_FIND(sorted_find_u64, uint64_t, , uint64_t);

static inline bool sorted_has_u32(const uint32_t *items, size_t count, uint32_t key) {
  size_t at = sorted_find_u32(items, count, key);
  return at < count && items[at] == key;
}

#endif
