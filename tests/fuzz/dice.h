// The random source: the same seed gives the same numbers on every machine.
//
// Beware of two throws in one argument list: C does not say which is made first, and compilers differ.
#ifndef HEDDLE_FUZZ_DICE_H
#define HEDDLE_FUZZ_DICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Dice {
  uint64_t state;
} Dice;

Dice dice_new(uint64_t seed);
uint64_t dice_throw(Dice *dice);
unsigned dice_below(Dice *dice, unsigned count);                                  // 0 .. count-1
bool dice_chance(Dice *dice, unsigned percent);                                   // true that often
unsigned dice_weighted(Dice *dice, const unsigned char *weights, unsigned count); // an index; some weight is not 0

#endif
