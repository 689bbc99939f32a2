// Sets of values as intervals, and the set of values of a variable under which a condition can hold.
//
// Direction: may-add. Where a condition is not understood, every value is allowed.
#ifndef HEDDLE_PROGRAM_FACTS_RANGES_H
#define HEDDLE_PROGRAM_FACTS_RANGES_H

#include "term/term.h"

typedef struct Range {
  uint64_t low, high; // both included, low <= high
} Range;

enum { MOST_RANGES = 16 };

// Sorted, disjoint, not adjacent. Widths up to 64 bits.
typedef struct RangeSet {
  unsigned width;
  size_t count;
  Range ranges[MOST_RANGES];
} RangeSet;

RangeSet ranges_all(unsigned width);
RangeSet ranges_intersect(const RangeSet *a, const RangeSet *b);
RangeSet ranges_union(const RangeSet *a, const RangeSet *b);
RangeSet ranges_complement(const RangeSet *a);
RangeSet ranges_shift(const RangeSet *a, uint64_t by); // adds `by` to each value, modulo 2^width
uint64_t ranges_size(const RangeSet *set);             // number of values; saturates at UINT64_MAX

// The values of `variable` for which `condition` (width 1, mentioning no other variable that matters) can have the
// truth value `wanted`.
RangeSet ranges_of_condition(const TermStore *terms, Term condition, Term variable, bool wanted);

#endif
