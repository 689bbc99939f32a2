// Divisions, shifts and rotations, mostly with a constant on the right; overflow predicates.
#include "term/term_internal.h"

// --- divisions ---

static bool is_power_of_two(Bits k) { return k != 0 && (k & (k - 1)) == 0; }

static unsigned log_two(Bits k) {
  unsigned exponent = 0;
  while (k >>= 1) exponent++;
  return exponent;
}

static Term divide_unsigned_by(TermStore *store, TermOperator op, Term a, Bits k) {
  unsigned width = width_of(store, a);
  if (k == 0) return op == TERM_UDIV ? term_constant(store, width, bits_mask(width)) : a;
  if (is_power_of_two(k)) {
    if (op == TERM_UREM) return term_and(store, a, term_constant(store, width, k - 1));
    return k == 1 ? a : term_binary(store, TERM_LSHR, a, term_constant(store, width, log_two(k)));
  }
  if (!is_operator(store, a, TERM_ZEXT)) return TERM_NONE;
  Term x = child_of(store, a, 0);
  unsigned inner_width = width_of(store, x);
  if (k > bits_mask(inner_width)) return op == TERM_UREM ? a : term_constant(store, width, 0);
  return term_zero_extend(store, term_binary(store, op, x, term_constant(store, inner_width, k)), width);
}

static Term divide_signed_by(TermStore *store, TermOperator op, Term a, Term b) {
  unsigned width = width_of(store, a);
  Bits k = term_constant_value(store, b);
  if (k == 0) return op == TERM_SDIV ? TERM_NONE : a;
  bool minus_one = k == bits_mask(width);
  if (k == 1 || minus_one) {
    if (op != TERM_SDIV) return term_constant(store, width, 0);
    return minus_one ? term_unary(store, TERM_NEG, a) : a;
  }
  // An extended dividend is not negative, so with a positive divisor the unsigned operator does the same.
  if (is_operator(store, a, TERM_ZEXT) && !is_negative(width, k))
    return term_binary(store, op == TERM_SDIV ? TERM_UDIV : TERM_UREM, a, b);
  return TERM_NONE;
}

Term simplify_division(TermStore *store, TermOperator op, Term a, Term b) {
  bool quotient = op == TERM_UDIV || op == TERM_SDIV;
  // 0 rem x and x rem x are 0 even if x is 0: the dividend is the result then.
  if (!quotient && (a == b || is_zero(store, a))) return term_constant(store, width_of(store, a), 0);
  if (!is_constant(store, b)) {
    if (op <= TERM_UREM || !is_operator(store, a, TERM_ZEXT) || !is_operator(store, b, TERM_ZEXT)) return TERM_NONE;
    return term_binary(store, quotient ? TERM_UDIV : TERM_UREM, a, b); // neither operand is negative
  }
  if (op == TERM_UDIV || op == TERM_UREM) return divide_unsigned_by(store, op, a, term_constant_value(store, b));
  return divide_signed_by(store, op, a, b);
}

// --- shifts ---

// Two shifts by constants, the inner one being `a`.
static Term merge_shifts(TermStore *store, TermOperator op, Term a, unsigned by) {
  TermOperator inner = operator_of(store, a);
  if ((inner != TERM_SHL && inner != TERM_LSHR && inner != TERM_ASHR) || !is_constant(store, child_of(store, a, 1)))
    return TERM_NONE;
  unsigned width = width_of(store, a);
  Bits inner_by = term_constant_value(store, child_of(store, a, 1));
  Term x = child_of(store, a, 0);
  if (inner == op) {
    Bits sum = inner_by >= width ? width : inner_by + by;
    if (sum >= width) {
      if (op != TERM_ASHR) return term_constant(store, width, 0);
      sum = width - 1;
    }
    return sum > bits_mask(width) ? TERM_NONE : term_binary(store, op, x, term_constant(store, width, sum));
  }
  if (inner_by != by || by >= width) return TERM_NONE;
  if (op == TERM_SHL) return term_and(store, x, term_constant(store, width, bits_mask(width) << by));
  if (inner != TERM_SHL) return TERM_NONE;
  if (op == TERM_LSHR) return term_and(store, x, term_constant(store, width, bits_mask(width) >> by));
  return term_sign_extend(store, term_extract(store, x, width - by - 1, 0), width);
}

static Term shift_by_constant(TermStore *store, TermOperator op, Term a, Bits k) {
  unsigned width = width_of(store, a);
  if (k == 0) return a;
  if (k >= width) {
    if (op != TERM_ASHR) return term_constant(store, width, 0);
    return width == 1 ? a : term_binary(store, TERM_ASHR, a, term_constant(store, width, width - 1));
  }
  unsigned by = (unsigned)k;
  Term merged = merge_shifts(store, op, a, by);
  if (merged || !is_operator(store, a, TERM_ZEXT)) return merged;
  Term x = child_of(store, a, 0);
  unsigned inner_width = width_of(store, x);
  if (op == TERM_SHL) {
    if (inner_width + by > width) return TERM_NONE;
    return term_zero_extend(store, term_binary(store, TERM_CONCAT, x, term_constant(store, by, 0)), width);
  }
  if (by >= inner_width) return term_constant(store, width, 0);
  return term_zero_extend(store, term_extract(store, x, inner_width - 1, by), width);
}

Term simplify_shift(TermStore *store, TermOperator op, Term a, Term b) {
  unsigned width = width_of(store, a);
  if (is_zero(store, a)) return a;
  if (op == TERM_ROTL || op == TERM_ROTR) {
    if (width == 1 || is_all_ones(store, a)) return a;
    if (!is_constant(store, b)) return TERM_NONE;
    unsigned by = (unsigned)(term_constant_value(store, b) % width);
    if (by == 0) return a;
    if (op == TERM_ROTR) return term_binary(store, TERM_ROTL, a, term_constant(store, width, width - by));
    bool reduced = is_constant_value(store, b, by);
    return reduced ? TERM_NONE : term_binary(store, TERM_ROTL, a, term_constant(store, width, by));
  }
  if (op == TERM_ASHR && is_all_ones(store, a)) return a;
  if (width == 1) return op == TERM_ASHR ? a : term_and(store, a, term_not(store, b));
  return is_constant(store, b) ? shift_by_constant(store, op, a, term_constant_value(store, b)) : TERM_NONE;
}

// --- overflow predicates ---

// How many bits hold every value of `t` as a signed or an unsigned number.
static unsigned signed_bits(const TermStore *store, Term t) {
  unsigned width = width_of(store, t);
  if (is_operator(store, t, TERM_SEXT)) return width_of(store, child_of(store, t, 0));
  if (is_operator(store, t, TERM_ZEXT)) return width_of(store, child_of(store, t, 0)) + 1;
  if (!is_constant(store, t)) return width;
  Bits value = term_constant_value(store, t);
  if (is_negative(width, value)) value = ~value & bits_mask(width);
  return value ? log_two(value) + 2 : 1;
}

static unsigned unsigned_bits(const TermStore *store, Term t) {
  if (is_operator(store, t, TERM_ZEXT)) return width_of(store, child_of(store, t, 0));
  if (!is_constant(store, t)) return width_of(store, t);
  Bits value = term_constant_value(store, t);
  return value ? log_two(value) + 1 : 0;
}

static bool never_overflows(const TermStore *store, TermOperator op, Term a, Term b) {
  unsigned width = width_of(store, a);
  unsigned sa = signed_bits(store, a), sb = signed_bits(store, b);
  unsigned ua = unsigned_bits(store, a), ub = unsigned_bits(store, b);
  switch (op) {
  case TERM_UADDO: return (ua > ub ? ua : ub) + 1 <= width;
  case TERM_UMULO: return ua + ub <= width;
  case TERM_SADDO:
  case TERM_SSUBO: return (sa > sb ? sa : sb) + 1 <= width;
  case TERM_SMULO: return sa + sb <= width;
  default: return false;
  }
}

static Term overflow_with_constant(TermStore *store, TermOperator op, Term a, Bits k) {
  unsigned width = width_of(store, a);
  Bits largest = sign_bit(width) - 1, smallest = sign_bit(width);
  bool negative = is_negative(width, k);
  switch (op) {
  case TERM_UADDO: return k == 0 ? term_false(store) : term_binary(store, TERM_ULT, term_constant(store, width, ~k), a);
  case TERM_SADDO:
    if (k == 0) return term_false(store);
    if (negative) return term_binary(store, TERM_SLT, a, term_constant(store, width, smallest - k));
    return term_binary(store, TERM_SLT, term_constant(store, width, largest - k), a);
  case TERM_SSUBO:
    if (k == 0) return term_false(store);
    if (negative) return term_binary(store, TERM_SLT, term_constant(store, width, largest + k), a);
    return term_binary(store, TERM_SLT, a, term_constant(store, width, smallest + k));
  case TERM_UMULO: return k <= 1 ? term_false(store) : TERM_NONE;
  case TERM_SMULO: return k == 0 || (k == 1 && width > 1) ? term_false(store) : TERM_NONE;
  case TERM_SDIVO:
    if (k != bits_mask(width)) return term_false(store);
    return term_eq(store, a, term_constant(store, width, smallest));
  default: return TERM_NONE;
  }
}

Term simplify_overflow(TermStore *store, TermOperator op, Term a, Term b) {
  if (op == TERM_USUBO) return term_binary(store, TERM_ULT, a, b);
  if (never_overflows(store, op, a, b)) return term_false(store);
  if (is_constant(store, b)) return overflow_with_constant(store, op, a, term_constant_value(store, b));
  unsigned width = width_of(store, a);
  if (op == TERM_SDIVO && is_constant(store, a)) {
    if (term_constant_value(store, a) != sign_bit(width)) return term_false(store);
    return term_eq(store, b, term_constant(store, width, bits_mask(width)));
  }
  return op == TERM_SSUBO && a == b ? term_false(store) : TERM_NONE;
}
