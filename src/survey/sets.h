// Small sets of numbers, interned: equal sets have equal numbers.
//
// States of an analysis by data flow are compared and joined all the time, and few of them differ. So a set is stored
// once, its elements ascending, and joins of the same two sets are looked up. A table owns its sets until it is freed.
#ifndef HEDDLE_SURVEY_SETS_H
#define HEDDLE_SURVEY_SETS_H

#include "base/map.h"
#include "base/vector.h"

typedef uint32_t SetId;
enum { SET_EMPTY = 0 };

typedef struct SetRange {
  const uint32_t *data; // ascending; valid until the next set is made
  uint32_t count;
} SetRange;

typedef struct NumberSets {
  U32Vector elements; // of all sets
  U32Vector starts;   // per set: its first element; one more at the end
  U32Vector next;     // per set: the next one with the same hash, or 0
  Map first;          // hash -> the first set that has it
  Map joins;          // two sets and the operation -> the result
} NumberSets;

void number_sets_init(NumberSets *table, Account *account);
void number_sets_free(NumberSets *table);
SetId set_make(NumberSets *table, uint32_t *elements, size_t count); // in any order, also twice; sorts them in place
SetRange set_range(const NumberSets *table, SetId set);
bool set_has(const NumberSets *table, SetId set, uint32_t element);
SetId set_with(NumberSets *table, SetId set, uint32_t element);
SetId set_without(NumberSets *table, SetId set, uint32_t element);
SetId set_unite(NumberSets *table, SetId a, SetId b);
SetId set_intersection(NumberSets *table, SetId a, SetId b);

#endif
