// Cubes: small sets of truth vectors, and disjunctions of conjunctions that say the same with fewer literals.
#ifndef HEDDLE_REACH_DOMAINS_CUBES_H
#define HEDDLE_REACH_DOMAINS_CUBES_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_CUBE_BITS = 10, MOST_CUBES = 64 };

// The vectors that agree with `value` on the bits of `care`; `value` is 0 elsewhere.
typedef struct Cube {
  uint16_t care, value;
} Cube;

typedef struct Cubes {
  unsigned bits, count;
  bool too_many; // a vector was left out
  Cube cubes[MOST_CUBES];
} Cubes;

void cubes_init(Cubes *cubes, unsigned bits);
// Adds a vector; false: it was there, or there are too many.
bool cubes_add_vector(Cubes *cubes, uint16_t vector);
// Makes cubes of vectors: the same set, by cubes that cannot be made larger, none of which is there for nothing but the
// vectors of those after it.
void cubes_minimise(Cubes *cubes);

#endif
