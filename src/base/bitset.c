#include "base/bitset.h"

#include <string.h>

void bitset_init(Bitset *set, size_t bits, Account *account) {
  *set = (Bitset){.bits = bits, .account = account};
  set->words = memory_allocate_zeroed(account, bitset_words(bits) * sizeof(uint64_t));
}

void bitset_free(Bitset *set) {
  memory_free(set->account, set->words, bitset_words(set->bits) * sizeof(uint64_t));
  *set = (Bitset){.account = set->account};
}

void bitset_clear_all(Bitset *set) {
  if (set->bits) memset(set->words, 0, bitset_words(set->bits) * sizeof(uint64_t));
}

void bitset_copy(Bitset *to, const Bitset *from) {
  assert(to->bits == from->bits);
  if (to->bits) memmove(to->words, from->words, bitset_words(to->bits) * sizeof(uint64_t));
}

bool bitset_union(Bitset *into, const Bitset *other) {
  assert(into->bits == other->bits);
  uint64_t added = 0;
  for (size_t i = 0; i < bitset_words(into->bits); i++) {
    added |= other->words[i] & ~into->words[i];
    into->words[i] |= other->words[i];
  }
  return added != 0;
}

void bitset_intersect(Bitset *into, const Bitset *other) {
  assert(into->bits == other->bits);
  for (size_t i = 0; i < bitset_words(into->bits); i++) into->words[i] &= other->words[i];
}

bool bitset_intersects(const Bitset *a, const Bitset *b) {
  assert(a->bits == b->bits);
  for (size_t i = 0; i < bitset_words(a->bits); i++)
    if (a->words[i] & b->words[i]) return true;
  return false;
}

bool bitset_subset(const Bitset *small, const Bitset *large) {
  assert(small->bits == large->bits);
  for (size_t i = 0; i < bitset_words(small->bits); i++)
    if (small->words[i] & ~large->words[i]) return false;
  return true;
}

bool bitset_empty(const Bitset *set) {
  for (size_t i = 0; i < bitset_words(set->bits); i++)
    if (set->words[i]) return false;
  return true;
}

size_t bitset_next(const Bitset *set, size_t from) {
  if (from >= set->bits) return set->bits;
  size_t i = from / 64;
  uint64_t word = set->words[i] & ~UINT64_C(0) << (from % 64);
  while (!word) {
    if (++i == bitset_words(set->bits)) return set->bits;
    word = set->words[i];
  }
  return i * 64 + (size_t)__builtin_ctzll(word);
}
