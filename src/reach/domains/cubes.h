// Cubes: small sets of truth vectors, and equivalent disjunctions of conjunctions with fewer literals.
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
// Adds a vector. Returns false if the set already contains it or would become too large.
bool cubes_add_vector(Cubes *cubes, uint16_t vector);
// Replaces the vectors by cubes that describe the same set. No cube can be made larger, and each cube contains a vector
// that no cube before it contains.
void cubes_minimise(Cubes *cubes);

#endif
