// Random numbers: any value in the function's range, whatever the seed.
#include "heddle.h"
#include "user_data.h"

#include <limits.h>
#include <stdint.h>

uint32_t __heddle_fresh_uint32(void);

static int any_number(void) { return __heddle_fresh_int() & INT_MAX; }

static double any_fraction(void) {
  double value = __heddle_fresh_double();
  return value >= 0.0 && value < 1.0 ? value : 0.0;
}

int rand(void) { return any_number(); }
void srand(unsigned seed) {}
long random(void) { return any_number(); }
void srandom(unsigned seed) {}

int rand_r(unsigned *seed) {
  HEDDLE_PLAIN(store_unsigned)(seed, __heddle_fresh_unsigned());
  return any_number();
}

double drand48(void) { return any_fraction(); }
long lrand48(void) { return any_number(); }
long mrand48(void) { return __heddle_fresh_int(); }
void srand48(long seed) {}
uint32_t arc4random(void) { return __heddle_fresh_uint32(); }

uint32_t arc4random_uniform(uint32_t limit) {
  uint32_t value = __heddle_fresh_uint32();
  return value < limit ? value : 0;
}
