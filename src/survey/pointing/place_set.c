#include "survey/pointing/place_set.h"

#include "base/sorted.h"

#include <string.h>

SORTED_FIND(find_word, PlaceWord, .index, uint32_t);

void place_set_free(PlaceSet *set, Account *account) {
  memory_free(account, set->words, set->capacity * sizeof *set->words);
  *set = (PlaceSet){0};
}

static void reserve(PlaceSet *set, uint32_t count, Account *account) {
  if (count <= set->capacity) return;
  uint32_t grown = set->capacity < 2 ? set->capacity + 1 : set->capacity * 2;
  if (grown < count) grown = count;
  set->words = memory_resize(account, set->words, set->capacity * sizeof *set->words, grown * sizeof *set->words);
  set->capacity = grown;
}

bool place_set_has(const PlaceSet *set, PlaceId id) {
  size_t at = find_word(set->words, set->count, id / 64);
  return at < set->count && set->words[at].index == id / 64 && (set->words[at].bits >> (id % 64) & 1);
}

bool place_set_add(PlaceSet *set, PlaceId id, Account *account) {
  size_t at = find_word(set->words, set->count, id / 64);
  uint64_t bit = UINT64_C(1) << (id % 64);
  if (at < set->count && set->words[at].index == id / 64) {
    bool added = !(set->words[at].bits & bit);
    set->words[at].bits |= bit;
    return added;
  }
  reserve(set, set->count + 1, account);
  memmove(set->words + at + 1, set->words + at, (set->count - at) * sizeof *set->words);
  set->words[at] = (PlaceWord){.bits = bit, .index = id / 64};
  set->count++;
  return true;
}

uint32_t place_set_size(const PlaceSet *set) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < set->count; i++) size += (uint32_t)__builtin_popcountll(set->words[i].bits);
  return size;
}

static uint32_t words_in_both(const PlaceSet *a, const PlaceSet *b) {
  uint32_t i = 0, k = 0, common = 0;
  while (i < a->count && k < b->count) {
    uint32_t left = a->words[i].index, right = b->words[k].index;
    common += left == right;
    i += left <= right;
    k += right <= left;
  }
  return common;
}

// From the end, so that no word of `set` is overwritten before it is moved.
void place_set_merge(PlaceSet *set, const PlaceSet *other, Account *account) {
  assert(set != other);
  uint32_t total = set->count + other->count - words_in_both(set, other);
  reserve(set, total, account);
  uint32_t i = set->count, k = other->count, to = total;
  set->count = total;
  while (k > 0) {
    const PlaceWord *right = &other->words[k - 1];
    if (i > 0 && set->words[i - 1].index > right->index) {
      set->words[--to] = set->words[--i];
    } else {
      uint64_t bits = right->bits;
      if (i > 0 && set->words[i - 1].index == right->index) bits |= set->words[--i].bits;
      set->words[--to] = (PlaceWord){.bits = bits, .index = right->index};
      k--;
    }
  }
  assert(to == i);
}

bool place_set_union(PlaceSet *set, const PlaceSet *other, PlaceSet *fresh, PlaceSet *scratch, Account *account) {
  scratch->count = 0;
  uint32_t i = 0;
  for (uint32_t k = 0; k < other->count; k++) {
    PlaceWord word = other->words[k];
    while (i < set->count && set->words[i].index < word.index) i++;
    if (i < set->count && set->words[i].index == word.index) word.bits &= ~set->words[i].bits;
    if (word.bits == 0) continue;
    reserve(scratch, scratch->count + 1, account);
    scratch->words[scratch->count++] = word;
  }
  if (scratch->count == 0) return false;
  place_set_merge(set, scratch, account);
  place_set_merge(fresh, scratch, account);
  return true;
}
