// Dense bit sets of a fixed size.
//
// Binary operations want both sets of the same size. A bit set owns its words.
#ifndef HEDDLE_BASE_BITSET_H
#define HEDDLE_BASE_BITSET_H

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Bitset {
  uint64_t *words;
  size_t bits;
  Account *account;
} Bitset;

void bitset_init(Bitset *set, size_t bits, Account *account); // all clear
void bitset_free(Bitset *set);
void bitset_clear_all(Bitset *set);
void bitset_copy(Bitset *to, const Bitset *from);
bool bitset_union(Bitset *into, const Bitset *other); // true if `into` grew
void bitset_intersect(Bitset *into, const Bitset *other);
bool bitset_intersects(const Bitset *a, const Bitset *b);
bool bitset_subset(const Bitset *small, const Bitset *large);
bool bitset_empty(const Bitset *set);
size_t bitset_next(const Bitset *set, size_t from); // first set bit at or after `from`, or set->bits

static inline size_t bitset_words(size_t bits) { return (bits + 63) / 64; }

static inline bool bitset_get(const Bitset *set, size_t bit) {
  assert(bit < set->bits);
  return set->words[bit / 64] >> (bit % 64) & 1;
}

static inline void bitset_set(Bitset *set, size_t bit) {
  assert(bit < set->bits);
  set->words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

// True if it was not in the set.
static inline bool bitset_add(Bitset *set, size_t bit) {
  bool added = !bitset_get(set, bit);
  bitset_set(set, bit);
  return added;
}

static inline void bitset_reset(Bitset *set, size_t bit) {
  assert(bit < set->bits);
  set->words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

#endif
