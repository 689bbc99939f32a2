// Random numbers: any value in the function's range, whatever the seed.
#include "results.h"
#include "user_data.h"

#include <limits.h>
#include <stdint.h>

uint32_t __heddle_fresh_uint32(void);

double __heddle_select_double(int condition, double if_true, double if_false);

static int any_number(void) {
  int value = __heddle_fresh_int();
  return __heddle_select_int(value < 0, 0, value);
}

static double any_fraction(void) {
  double value = __heddle_fresh_double();
  return __heddle_select_double((value >= 0.0) & (value < 1.0), value, 0.0);
}

int rand(void) { return any_number(); }
void srand(unsigned seed) {}
long random(void) { return any_number(); }
void srandom(unsigned seed) {}

int rand_r(unsigned *seed) {
  __heddle_read_bytes(seed, sizeof *seed);
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
  return (uint32_t)__heddle_select_int(value < limit, (int)value, 0);
}

// --- blocks of random bytes ---

ssize_t getrandom(void *to, size_t bytes, unsigned flags) {
  ssize_t count = count_or_failure(bytes);
  if (count > 0) __heddle_any_bytes(to, bytes);
  return count;
}

int getentropy(void *to, size_t bytes) {
  if (__heddle_fresh_bool()) {
    note_failure(1);
    return -1;
  }
  __heddle_any_bytes(to, bytes);
  return 0;
}

void arc4random_buf(void *to, size_t bytes) { __heddle_any_bytes(to, bytes); }
