// Random numbers: any value in the function's range, whatever the seed. Only the functions that keep their state in the
// program's memory and whose formula POSIX fixes (erand48 and its like) are exact.
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

// The next state of the sequence, which POSIX defines. `state` holds its 48 bits, the lowest first. Only lcong48
// changes the two constants, and it has no model.
static uint64_t HEDDLE_PLAIN(next_state)(unsigned short state[3]) {
  uint64_t x = state[0] | (uint64_t)state[1] << 16 | (uint64_t)state[2] << 32;
  x = (x * 0x5DEECE66D + 0xB) & 0xFFFFFFFFFFFF;
  state[0] = (unsigned short)x;
  state[1] = (unsigned short)(x >> 16);
  state[2] = (unsigned short)(x >> 32);
  return x;
}

double erand48(unsigned short state[3]) {
  return (double)(int64_t)HEDDLE_PLAIN(next_state)(state) / (double)(INT64_C(1) << 48);
}
long nrand48(unsigned short state[3]) { return (long)(HEDDLE_PLAIN(next_state)(state) >> 17); }
long jrand48(unsigned short state[3]) { return (int32_t)(HEDDLE_PLAIN(next_state)(state) >> 16); }

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
