// Makes a random program: one to three threads beside main, a few statements each, over a few shared variables.
//
// Values stay small and loops short, so that all interleavings can be tried. Each program uses only some of the
// features, so that those meet each other often.
#ifndef HEDDLE_FUZZ_GENERATE_H
#define HEDDLE_FUZZ_GENERATE_H

#include "fuzz/tree.h"

#include <stdbool.h>
#include <stdint.h>

enum { DEFAULT_SIZE = 6, DEFAULT_SIZE_WITH_FORMULA = 3, MOST_SIZE = 20 };

// The same tree for the same seed and size on every machine. `size` is about the number of statements of a thread. With
// a formula, it is another program: some of its threads never end.
void generate(Arena *arena, Tree *tree, uint64_t seed, unsigned size, bool formula);

#endif
