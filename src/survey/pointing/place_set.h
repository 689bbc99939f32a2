// Sets of numbers of places: words of bits, only those that are not empty, in ascending order.
//
// A set of few elements takes a few dozen bytes, and the union of two sets takes time in the number of their words. A
// zeroed struct is the empty set. The account is passed in, because there are as many sets as nodes.
#ifndef HEDDLE_SURVEY_POINTING_PLACE_SET_H
#define HEDDLE_SURVEY_POINTING_PLACE_SET_H

#include "base/memory.h"

#include <assert.h>
#include <stdint.h>

typedef uint32_t PlaceId;

typedef struct PlaceWord {
  uint64_t bits; // never 0
  uint32_t index;
} PlaceWord;

typedef struct PlaceSet {
  PlaceWord *words;
  uint32_t count, capacity;
} PlaceSet;

void place_set_free(PlaceSet *set, Account *account);
bool place_set_has(const PlaceSet *set, PlaceId id);
bool place_set_add(PlaceSet *set, PlaceId id, Account *account); // true if it was not in the set
uint32_t place_set_size(const PlaceSet *set);
// Adds all of `other` to `set`, and to `fresh` what was not in `set`. `scratch` is overwritten. True if `set` grew.
bool place_set_union(PlaceSet *set, const PlaceSet *other, PlaceSet *fresh, PlaceSet *scratch, Account *account);
void place_set_merge(PlaceSet *set, const PlaceSet *other, Account *account);

static inline bool place_set_empty(const PlaceSet *set) { return set->count == 0; }

// Visits a set in ascending order: `PlaceCursor at = {0}; while (place_set_next(set, &at, &id)) ...`
typedef struct PlaceCursor {
  uint32_t word;
  uint64_t rest;
  bool open; // rest is what is left of the word
} PlaceCursor;

static inline bool place_set_next(const PlaceSet *set, PlaceCursor *at, PlaceId *id) {
  if (at->open && at->rest == 0) at->word++, at->open = false;
  if (at->word >= set->count) return false;
  if (!at->open) at->rest = set->words[at->word].bits, at->open = true;
  *id = set->words[at->word].index * 64 + (PlaceId)__builtin_ctzll(at->rest);
  at->rest &= at->rest - 1;
  return true;
}

#endif
