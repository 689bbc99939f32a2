#include "fuzz/dice.h"

#include <assert.h>

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
uint64_t dice_throw(Dice *dice) {
  uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

Dice dice_new(uint64_t seed) {
  // Neighbouring seeds would otherwise share most of their sequence of states.
  Dice dice = {seed};
  dice.state = dice_throw(&dice);
  return dice;
}

unsigned dice_below(Dice *dice, unsigned count) {
  assert(count > 0);
  return (unsigned)((dice_throw(dice) >> 32) * count >> 32);
}

bool dice_chance(Dice *dice, unsigned percent) { return dice_below(dice, 100) < percent; }

unsigned dice_weighted(Dice *dice, const unsigned char *weights, unsigned count) {
  unsigned sum = 0, at = 0;
  for (unsigned i = 0; i < count; i++) sum += weights[i];
  unsigned left = dice_below(dice, sum);
  while (left >= weights[at]) left -= weights[at++];
  assert(at < count);
  return at;
}
