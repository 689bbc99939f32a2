// Features: what is counted in a program before any engine looks at it. Engines say by them how soon they begin.
#ifndef HEDDLE_VERDICT_FEATURES_H
#define HEDDLE_VERDICT_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Features {
  size_t threads, edges;
  size_t loops;        // back edges
  size_t waits;        // edges that wait for others: locks, joins
  size_t input_bits;   // of inputs, each counted where it is read
  size_t dereferences; // accesses with several possible targets
  bool unbounded;      // creates more threads than any limit, as far as can be seen
  bool floating_point;
} Features;

// No loops, and no more threads than can be counted: every execution is short.
static inline bool features_finite(const Features *features) { return features->loops == 0 && !features->unbounded; }

#endif
