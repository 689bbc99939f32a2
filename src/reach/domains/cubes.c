#include "reach/domains/cubes.h"

#include <assert.h>

void cubes_init(Cubes *cubes, unsigned bits) {
  assert(bits <= MOST_CUBE_BITS);
  cubes->bits = bits;
  cubes->count = 0;
  cubes->too_many = false;
}

static bool cube_has(Cube cube, uint16_t vector) { return (vector & cube.care) == cube.value; }

bool cubes_add_vector(Cubes *cubes, uint16_t vector) {
  assert(vector >> cubes->bits == 0 && cubes->count <= MOST_CUBES);
  for (unsigned i = 0; i < cubes->count; i++)
    if (cube_has(cubes->cubes[i], vector)) return false;
  cubes->too_many |= cubes->count == MOST_CUBES;
  if (cubes->too_many) return false;
  cubes->cubes[cubes->count++] = (Cube){.care = (uint16_t)((1u << cubes->bits) - 1), .value = vector};
  return true;
}

// Are all vectors of the cube in the set, whose cubes are single vectors?
static bool is_within(const Cubes *set, Cube cube) {
  unsigned inside = 0, free_bits = set->bits - (unsigned)__builtin_popcount(cube.care);
  for (unsigned i = 0; i < set->count; i++) inside += cube_has(cube, set->cubes[i].value);
  return inside == 1u << free_bits;
}

// Sorts the vectors, so that the result does not depend on the order in which they were added.
static void sort(Cubes *set) {
  for (unsigned i = 1; i < set->count; i++) {
    Cube cube = set->cubes[i];
    unsigned k = i;
    for (; k > 0 && set->cubes[k - 1].value > cube.value; k--) set->cubes[k] = set->cubes[k - 1];
    set->cubes[k] = cube;
  }
}

void cubes_minimise(Cubes *cubes) {
  assert(!cubes->too_many);
  sort(cubes);
  const Cubes set = *cubes;
  bool covered[MOST_CUBES] = {false};
  cubes->count = 0;
  for (unsigned i = 0; i < set.count; i++) {
    if (covered[i]) continue;
    Cube cube = set.cubes[i];
    for (unsigned bit = 0; bit < set.bits; bit++) {
      uint16_t rest = (uint16_t)~(1u << bit);
      Cube larger = {.care = cube.care & rest, .value = cube.value & rest};
      if (is_within(&set, larger)) cube = larger;
    }
    for (unsigned k = i; k < set.count; k++) covered[k] |= cube_has(cube, set.cubes[k].value);
    cubes->cubes[cubes->count++] = cube;
  }
}
