#include "solver/words.h"

#include <string.h>

static void copy_word(unsigned n, const AigLiteral *from, AigLiteral *to) {
  if (from != to) memcpy(to, from, n * sizeof(AigLiteral));
}

void word_constant(unsigned n, WordBits value, AigLiteral *out) {
  for (unsigned i = 0; i < n; i++) out[i] = i < WORD_BITS ? aig_constant(value >> i & 1) : AIG_FALSE;
}

void word_not(unsigned n, const AigLiteral *a, AigLiteral *out) {
  for (unsigned i = 0; i < n; i++) out[i] = aig_not(a[i]);
}

void word_and(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  for (unsigned i = 0; i < n; i++) out[i] = aig_and(aig, a[i], b[i]);
}

void word_or(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  for (unsigned i = 0; i < n; i++) out[i] = aig_or(aig, a[i], b[i]);
}

void word_xor(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  for (unsigned i = 0; i < n; i++) out[i] = aig_xor(aig, a[i], b[i]);
}

void word_ite(Aig *aig, unsigned n, AigLiteral condition, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  for (unsigned i = 0; i < n; i++) out[i] = aig_ite(aig, condition, a[i], b[i]);
}

// --- addition ---

AigLiteral word_add(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral carry, AigLiteral *out) {
  for (unsigned i = 0; i < n; i++) {
    AigLiteral next = aig_majority(aig, a[i], b[i], carry);
    out[i] = aig_xor(aig, aig_xor(aig, a[i], b[i]), carry);
    carry = next;
  }
  return carry;
}

AigLiteral word_subtract(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  AigLiteral inverted[WORD_BITS + 1];
  assert(n <= WORD_BITS + 1);
  word_not(n, b, inverted);
  return aig_not(word_add(aig, n, a, inverted, AIG_TRUE, out));
}

static void word_negate_if(Aig *aig, unsigned n, AigLiteral condition, const AigLiteral *a, AigLiteral *out) {
  AigLiteral carry = condition; // invert and add one, both only if the condition holds
  for (unsigned i = 0; i < n; i++) {
    AigLiteral bit = aig_xor(aig, a[i], condition);
    out[i] = aig_xor(aig, bit, carry);
    carry = aig_and(aig, bit, carry);
  }
}

void word_negate(Aig *aig, unsigned n, const AigLiteral *a, AigLiteral *out) {
  word_negate_if(aig, n, AIG_TRUE, a, out);
}

// --- multiplication ---

static unsigned count_literals(unsigned n, const AigLiteral *a, AigLiteral which) {
  unsigned count = 0;
  for (unsigned i = 0; i < n; i++) count += a[i] == which;
  return count;
}

static bool is_constant_word(unsigned n, const AigLiteral *a) {
  for (unsigned i = 0; i < n; i++) {
    if (!aig_is_constant(a[i])) return false;
  }
  return true;
}

// Adds up the rows of `a` shifted by i and masked by bit i of `b`.
static void multiply_rows(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  AigLiteral sum[WORD_BITS + 1], row[WORD_BITS + 1];
  word_constant(n, 0, sum);
  for (unsigned i = 0; i < n; i++) {
    if (b[i] == AIG_FALSE) continue;
    for (unsigned j = 0; i + j < n; j++) row[j] = aig_and(aig, a[j], b[i]);
    word_add(aig, n - i, sum + i, row, AIG_FALSE, sum + i);
  }
  copy_word(n, sum, out);
}

void word_multiply(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  assert(n <= WORD_BITS + 1);
  // The operand with more zeros selects the rows, since a zero saves a whole adder.
  if (count_literals(n, a, AIG_FALSE) > count_literals(n, b, AIG_FALSE)) {
    const AigLiteral *other = a;
    a = b;
    b = other;
  }
  if (is_constant_word(n, b) && count_literals(n, b, AIG_TRUE) > n / 2 + 1) {
    // a * b is -(a * -b), and -b has few ones.
    AigLiteral negated[WORD_BITS + 1];
    word_negate(aig, n, b, negated);
    multiply_rows(aig, n, a, negated, out);
    word_negate(aig, n, out, out);
    return;
  }
  multiply_rows(aig, n, a, b, out);
}

// --- division ---

// some bit is set
static AigLiteral word_any(Aig *aig, unsigned n, const AigLiteral *a) {
  AigLiteral bits[WORD_BITS + 1];
  assert(n <= WORD_BITS + 1);
  copy_word(n, a, bits);
  return aig_or_all(aig, bits, n);
}

// Restoring division. With a zero divisor every trial subtraction succeeds, which gives SMT-LIB's all ones and the
// dividend without a special case.
void word_divide_unsigned(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *quotient,
                          AigLiteral *remainder) {
  AigLiteral rest[WORD_BITS], trial[WORD_BITS], result[WORD_BITS];
  assert(n <= WORD_BITS);
  word_constant(n, 0, rest);
  for (unsigned step = n; step-- > 0;) {
    for (unsigned i = n - 1; i > 0; i--) rest[i] = rest[i - 1];
    rest[0] = a[step];
    // Only this many low bits of the rest can be set, so a divisor with a higher bit does not fit.
    unsigned used = n - step;
    AigLiteral borrow = word_subtract(aig, used, rest, b, trial);
    AigLiteral above = word_any(aig, n - used, b + used);
    AigLiteral fits = aig_and(aig, aig_not(borrow), aig_not(above));
    result[step] = fits;
    word_ite(aig, used, fits, trial, rest, rest);
  }
  if (quotient != NULL) copy_word(n, result, quotient);
  if (remainder != NULL) copy_word(n, rest, remainder);
}

void word_divide_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  AigLiteral size_a[WORD_BITS], size_b[WORD_BITS], sign_a = a[n - 1], sign_b = b[n - 1];
  word_negate_if(aig, n, sign_a, a, size_a);
  word_negate_if(aig, n, sign_b, b, size_b);
  word_divide_unsigned(aig, n, size_a, size_b, out, NULL);
  word_negate_if(aig, n, aig_xor(aig, sign_a, sign_b), out, out);
}

void word_remainder_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  AigLiteral size_a[WORD_BITS], size_b[WORD_BITS], sign_a = a[n - 1];
  word_negate_if(aig, n, sign_a, a, size_a);
  word_negate_if(aig, n, b[n - 1], b, size_b);
  word_divide_unsigned(aig, n, size_a, size_b, NULL, out);
  word_negate_if(aig, n, sign_a, out, out);
}

void word_modulo_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out) {
  AigLiteral rest[WORD_BITS], moved[WORD_BITS], sign_a = a[n - 1], sign_b = b[n - 1];
  word_remainder_signed(aig, n, a, b, rest);
  // The remainder has the dividend's sign; where that differs from the divisor's, the divisor is added.
  word_add(aig, n, rest, b, AIG_FALSE, moved);
  AigLiteral move = aig_and(aig, aig_xor(aig, sign_a, sign_b), word_any(aig, n, rest));
  word_ite(aig, n, move, moved, rest, out);
}

// --- shifts ---

static unsigned stages_for(unsigned n) {
  unsigned stages = 0;
  while (1u << stages < n) stages++;
  return stages;
}

void word_shift_left(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, AigLiteral *out) {
  AigLiteral word[WORD_BITS];
  unsigned stages = stages_for(n);
  copy_word(n, a, word);
  for (unsigned stage = 0; stage < stages; stage++) {
    unsigned distance = 1u << stage;
    for (unsigned i = n; i-- > 0;) {
      AigLiteral moved = i >= distance ? word[i - distance] : AIG_FALSE;
      word[i] = aig_ite(aig, by[stage], moved, word[i]);
    }
  }
  AigLiteral far = word_any(aig, n - stages, by + stages);
  for (unsigned i = 0; i < n; i++) out[i] = aig_and(aig, aig_not(far), word[i]);
}

void word_shift_right(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, AigLiteral fill,
                      AigLiteral *out) {
  AigLiteral word[WORD_BITS];
  unsigned stages = stages_for(n);
  copy_word(n, a, word);
  for (unsigned stage = 0; stage < stages; stage++) {
    unsigned distance = 1u << stage;
    for (unsigned i = 0; i < n; i++) {
      AigLiteral moved = i + distance < n ? word[i + distance] : fill;
      word[i] = aig_ite(aig, by[stage], moved, word[i]);
    }
  }
  AigLiteral far = word_any(aig, n - stages, by + stages);
  for (unsigned i = 0; i < n; i++) out[i] = aig_ite(aig, far, fill, word[i]);
}

// Bit i of the distance rotates by 2^i modulo n: exact for every width, and free once 2^i is a multiple of n.
static void rotate(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, bool left, AigLiteral *out) {
  AigLiteral word[WORD_BITS], moved[WORD_BITS];
  copy_word(n, a, word);
  unsigned distance = 1 % n;
  for (unsigned stage = 0; stage < n && distance != 0; stage++) {
    for (unsigned i = 0; i < n; i++) moved[i] = word[(left ? i + n - distance : i + distance) % n];
    word_ite(aig, n, by[stage], moved, word, word);
    distance = distance * 2 % n;
  }
  copy_word(n, word, out);
}

void word_rotate_left(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, AigLiteral *out) {
  rotate(aig, n, a, by, true, out);
}

void word_rotate_right(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, AigLiteral *out) {
  rotate(aig, n, a, by, false, out);
}

// --- comparisons ---

AigLiteral word_equal(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral same[WORD_BITS];
  assert(n <= WORD_BITS);
  for (unsigned i = 0; i < n; i++) same[i] = aig_equal(aig, a[i], b[i]);
  return aig_and_all(aig, same, n);
}

AigLiteral word_is_constant(Aig *aig, unsigned n, const AigLiteral *a, WordBits value) {
  AigLiteral constant[WORD_BITS];
  word_constant(n, value, constant);
  return word_equal(aig, n, a, constant);
}

AigLiteral word_less_unsigned(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral less = AIG_FALSE;
  for (unsigned i = 0; i < n; i++) {
    // The higher bit decides unless both are the same: majority of not a, b and the answer so far.
    less = aig_majority(aig, aig_not(a[i]), b[i], less);
  }
  return less;
}

AigLiteral word_less_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral less = word_less_unsigned(aig, n - 1, a, b);
  return aig_majority(aig, a[n - 1], aig_not(b[n - 1]), less);
}

// --- overflow ---

AigLiteral word_add_overflows_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral sum[WORD_BITS];
  word_add(aig, n, a, b, AIG_FALSE, sum);
  AigLiteral left = aig_xor(aig, sum[n - 1], a[n - 1]), right = aig_xor(aig, sum[n - 1], b[n - 1]);
  return aig_and(aig, left, right);
}

AigLiteral word_subtract_overflows_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral difference[WORD_BITS];
  word_subtract(aig, n, a, b, difference);
  AigLiteral signs_differ = aig_xor(aig, a[n - 1], b[n - 1]);
  return aig_and(aig, signs_differ, aig_xor(aig, difference[n - 1], a[n - 1]));
}

// Some bits p of a and q of b are both set with p + q >= limit.
static AigLiteral bits_reach(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, unsigned limit) {
  AigLiteral reached = AIG_FALSE, high = AIG_FALSE;
  unsigned taken = n; // `high` says whether some bit of b at or above `taken` is set
  for (unsigned p = 0; p < n; p++) {
    unsigned lowest = limit > p ? limit - p : 0;
    while (taken > lowest) high = aig_or(aig, high, b[--taken]);
    reached = aig_or(aig, reached, aig_and(aig, a[p], high));
  }
  return reached;
}

// After Schulte, Balzola, Akkas and Brocato, "Integer multiplication with overflow detection or saturation" (2000):
// if the highest bits sum to n or more the product is at least 2^n; otherwise it is below 2^(n+1), and bit n tells.
AigLiteral word_multiply_overflows_unsigned(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral wide_a[WORD_BITS + 1], wide_b[WORD_BITS + 1], product[WORD_BITS + 1];
  copy_word(n, a, wide_a);
  copy_word(n, b, wide_b);
  wide_a[n] = wide_b[n] = AIG_FALSE;
  word_multiply(aig, n + 1, wide_a, wide_b, product);
  return aig_or(aig, product[n], bits_reach(aig, n, a, b, n));
}

// The same for signed words, with the bits that differ from the sign: where their positions sum to n - 1 or more, the
// product is out of range; otherwise its size is at most 2^n, and its bits n and n - 1 differ just when it is.
AigLiteral word_multiply_overflows_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral wide_a[WORD_BITS + 1], wide_b[WORD_BITS + 1], product[WORD_BITS + 1];
  copy_word(n, a, wide_a);
  copy_word(n, b, wide_b);
  wide_a[n] = a[n - 1];
  wide_b[n] = b[n - 1];
  word_multiply(aig, n + 1, wide_a, wide_b, product);
  for (unsigned i = 0; i < n; i++) {
    wide_a[i] = aig_xor(aig, a[i], a[n - 1]);
    wide_b[i] = aig_xor(aig, b[i], b[n - 1]);
  }
  AigLiteral large = bits_reach(aig, n - 1, wide_a, wide_b, n - 1);
  return aig_or(aig, aig_xor(aig, product[n], product[n - 1]), large);
}
