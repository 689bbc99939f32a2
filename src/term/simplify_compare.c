// EQ and the orders.
#include "term/term_internal.h"

// The public constructor for `op`, with `t` on the given side of a constant.
static Term compare(TermStore *store, TermOperator op, Term t, Term constant, bool constant_left) {
  return constant_left ? term_binary(store, op, constant, t) : term_binary(store, op, t, constant);
}

// ite(c, K1, t) compared with K is c || t op K, or !c && t op K, as K1 op K says; ite(c, t, K2) likewise.
static Term compare_choice(TermStore *store, TermOperator op, Term choice, Term constant, bool constant_left) {
  if (!is_operator(store, choice, TERM_ITE)) return TERM_NONE;
  Term c = child_of(store, choice, 0), yes = child_of(store, choice, 1), no = child_of(store, choice, 2);
  if (!is_constant(store, yes) && !is_constant(store, no)) return TERM_NONE;
  Term known = is_constant(store, yes) ? yes : no, other = known == yes ? no : yes;
  if (known == no) c = term_not(store, c);
  bool outcome = term_is_true(store, compare(store, op, known, constant, constant_left));
  Term rest = compare(store, op, other, constant, constant_left);
  return outcome ? term_or(store, c, rest) : term_and(store, term_not(store, c), rest);
}

// --- EQ with a constant ---

// The inverse of an odd number modulo 2^128: each step of Newton's iteration doubles the number of right bits.
static Bits inverse_of_odd(Bits odd) {
  Bits inverse = odd; // right to 3 bits
  for (unsigned bits = 3; bits < 128; bits *= 2) inverse *= 2 - odd * inverse;
  return inverse;
}

static Term product_equals(TermStore *store, Term a, Bits k) {
  if (!has_constant_right(store, a, TERM_MUL)) return TERM_NONE;
  unsigned width = width_of(store, a), zeros = 0;
  Bits factor = term_constant_value(store, child_of(store, a, 1));
  if (factor & 1) return term_eq(store, child_of(store, a, 0), term_constant(store, width, k * inverse_of_odd(factor)));
  while (zeros < width && !(factor >> zeros & 1)) zeros++;
  return k & bits_mask(zeros) ? term_false(store) : TERM_NONE;
}

static Term difference_equals(TermStore *store, Term a, Bits k) {
  Term x = child_of(store, a, 0), y = child_of(store, a, 1);
  if (is_constant(store, x)) return term_eq(store, y, term_add_constant(store, x, -k));
  return k == 0 ? term_eq(store, x, y) : TERM_NONE;
}

static Term extension_equals(TermStore *store, Term a, Term b) {
  Term x = child_of(store, a, 0);
  unsigned inner_width = width_of(store, x), width = width_of(store, a);
  Term narrow = term_constant(store, inner_width, term_constant_value(store, b));
  Term wide = is_operator(store, a, TERM_ZEXT) ? term_zero_extend(store, narrow, width)
                                               : term_sign_extend(store, narrow, width);
  return wide == b ? term_eq(store, x, narrow) : term_false(store);
}

static Term concat_equals(TermStore *store, Term a, Bits k) {
  Term high = child_of(store, a, 0), low = child_of(store, a, 1);
  if (!is_constant(store, high) && !is_constant(store, low)) return TERM_NONE;
  unsigned low_width = width_of(store, low), high_width = width_of(store, high);
  return term_and(store, term_eq(store, high, term_constant(store, high_width, k >> low_width)),
                  term_eq(store, low, term_constant(store, low_width, k)));
}

static Term shift_equals(TermStore *store, Term a, Bits k) {
  unsigned width = width_of(store, a);
  if (!is_constant(store, child_of(store, a, 1))) return TERM_NONE;
  Bits amount = term_constant_value(store, child_of(store, a, 1));
  if (amount == 0 || amount >= width) return TERM_NONE;
  unsigned by = (unsigned)amount;
  Term x = child_of(store, a, 0);
  if (is_operator(store, a, TERM_SHL)) {
    if (k & bits_mask(by)) return term_false(store);
    return term_eq(store, term_extract(store, x, width - by - 1, 0), term_constant(store, width - by, k >> by));
  }
  if (k >> (width - by)) return term_false(store);
  return term_eq(store, term_extract(store, x, width - 1, by), term_constant(store, width - by, k));
}

// Bits that a mask forces to a value other than that of the constant.
static Term masked_equals(TermStore *store, Term a, Bits k) {
  Term mask = child_of(store, a, 1);
  if (!is_constant(store, mask)) return TERM_NONE;
  Bits m = term_constant_value(store, mask);
  bool impossible = is_operator(store, a, TERM_AND) ? (k & ~m) != 0 : (m & ~k) != 0;
  return impossible ? term_false(store) : TERM_NONE;
}

static Term equals_constant(TermStore *store, Term a, Term b) {
  unsigned width = width_of(store, a);
  Bits k = term_constant_value(store, b);
  if (width == 1) return k ? a : term_not(store, a);
  Term x = child_of(store, a, 0);
  switch (operator_of(store, a)) {
  case TERM_NOT: return term_eq(store, x, term_not(store, b));
  case TERM_NEG: return term_eq(store, x, term_unary(store, TERM_NEG, b));
  case TERM_ADD:
    if (!has_constant_right(store, a, TERM_ADD)) return TERM_NONE;
    return term_eq(store, x, term_sub(store, b, child_of(store, a, 1)));
  case TERM_SUB: return difference_equals(store, a, k);
  case TERM_XOR:
    if (k == 0) return term_eq(store, x, child_of(store, a, 1));
    if (!has_constant_right(store, a, TERM_XOR)) return TERM_NONE;
    return term_eq(store, x, term_binary(store, TERM_XOR, b, child_of(store, a, 1)));
  case TERM_MUL: return product_equals(store, a, k);
  case TERM_ZEXT:
  case TERM_SEXT: return extension_equals(store, a, b);
  case TERM_CONCAT: return concat_equals(store, a, k);
  case TERM_SHL:
  case TERM_LSHR: return shift_equals(store, a, k);
  case TERM_AND:
  case TERM_OR: return masked_equals(store, a, k);
  case TERM_UREM: {
    Term divisor = child_of(store, a, 1);
    if (!is_constant(store, divisor) || is_zero(store, divisor)) return TERM_NONE;
    return k >= term_constant_value(store, divisor) ? term_false(store) : TERM_NONE;
  }
  case TERM_ITE: return compare_choice(store, TERM_EQ, a, b, false);
  default: return TERM_NONE;
  }
}

// --- EQ of two terms ---

// Rules for a == b that look into `a` for `b`; tried both ways.
static Term equals_part(TermStore *store, Term a, Term b) {
  unsigned width = width_of(store, a);
  TermOperator op = operator_of(store, a);
  if (op == TERM_ITE) {
    Term c = child_of(store, a, 0), yes = child_of(store, a, 1), no = child_of(store, a, 2);
    if (yes == b) return term_or(store, c, term_eq(store, no, b));
    if (no == b) return term_or(store, term_not(store, c), term_eq(store, yes, b));
    return TERM_NONE;
  }
  if (op != TERM_ADD && op != TERM_XOR && op != TERM_SUB) return TERM_NONE;
  Term x = child_of(store, a, 0), y = child_of(store, a, 1);
  if (x == b) return term_eq(store, y, term_constant(store, width, 0));
  if (y == b && op != TERM_SUB) return term_eq(store, x, term_constant(store, width, 0));
  return TERM_NONE;
}

static Term equal_extensions(TermStore *store, TermOperator kind, Term x, Term y) {
  unsigned wx = width_of(store, x), wy = width_of(store, y), width = wx > wy ? wx : wy;
  if (kind == TERM_ZEXT) return term_eq(store, term_zero_extend(store, x, width), term_zero_extend(store, y, width));
  return term_eq(store, term_sign_extend(store, x, width), term_sign_extend(store, y, width));
}

static Term equal_sums(TermStore *store, Term a, Term b) {
  Term a0 = child_of(store, a, 0), a1 = child_of(store, a, 1), b0 = child_of(store, b, 0), b1 = child_of(store, b, 1);
  if (a0 == b0) return term_eq(store, a1, b1);
  if (a1 == b1) return term_eq(store, a0, b0);
  if (a0 == b1) return term_eq(store, a1, b0);
  if (a1 == b0) return term_eq(store, a0, b1);
  if (!is_constant(store, a1) || !is_constant(store, b1)) return TERM_NONE;
  return term_eq(store, a0,
                 term_binary(store, operator_of(store, a), b0, // the constants move to one side
                             term_binary(store, is_operator(store, a, TERM_ADD) ? TERM_SUB : TERM_XOR, b1, a1)));
}

// Both sides are made by the same operator.
static Term equal_alike(TermStore *store, Term a, Term b) {
  TermOperator op = operator_of(store, a);
  if (!is_operator(store, b, op) || arity_of_operator(op) == 0) return TERM_NONE;
  Term x = child_of(store, a, 0), y = child_of(store, b, 0);
  switch (op) {
  case TERM_NOT:
  case TERM_NEG: return term_eq(store, x, y);
  case TERM_ZEXT:
  case TERM_SEXT: return equal_extensions(store, op, x, y);
  case TERM_ADD:
  case TERM_XOR: return equal_sums(store, a, b);
  case TERM_SUB:
    if (x == y) return term_eq(store, child_of(store, a, 1), child_of(store, b, 1));
    return child_of(store, a, 1) == child_of(store, b, 1) ? term_eq(store, x, y) : TERM_NONE;
  case TERM_CONCAT:
    if (width_of(store, x) != width_of(store, y)) return TERM_NONE;
    return term_and(store, term_eq(store, x, y), term_eq(store, child_of(store, a, 1), child_of(store, b, 1)));
  case TERM_ITE:
    if (x != y) return TERM_NONE;
    return term_ite(store, x, term_eq(store, child_of(store, a, 1), child_of(store, b, 1)),
                    term_eq(store, child_of(store, a, 2), child_of(store, b, 2)));
  default: return TERM_NONE;
  }
}

Term simplify_eq(TermStore *store, Term a, Term b) {
  if (a == b) return term_true(store);
  if (sort_is_array(term_sort(store, a))) return TERM_NONE;
  if (is_constant(store, b)) return equals_constant(store, a, b);
  if (are_complements(store, a, b)) return term_false(store);
  if (width_of(store, a) == 1) {
    bool a_negated = is_operator(store, a, TERM_NOT), b_negated = is_operator(store, b, TERM_NOT);
    if (a_negated != b_negated)
      return term_binary(store, TERM_XOR, a_negated ? child_of(store, a, 0) : a, b_negated ? child_of(store, b, 0) : b);
  }
  Term result = equal_alike(store, a, b);
  if (!result) result = equals_part(store, a, b);
  return result ? result : equals_part(store, b, a);
}

// --- orders ---

static bool is_strict(TermOperator op) { return op == TERM_ULT || op == TERM_SLT; }
static bool is_signed_order(TermOperator op) { return op == TERM_SLT || op == TERM_SLE; }

// The largest unsigned value that `t` can have, as far as its top operator says.
static Bits upper_bound(const TermStore *store, Term t) {
  unsigned width = width_of(store, t);
  Bits all = bits_mask(width);
  if (is_operator(store, t, TERM_ZEXT)) return bits_mask(width_of(store, child_of(store, t, 0)));
  if (has_constant_right(store, t, TERM_AND)) return term_constant_value(store, child_of(store, t, 1));
  if (has_constant_right(store, t, TERM_UREM)) {
    Bits divisor = term_constant_value(store, child_of(store, t, 1));
    return divisor ? divisor - 1 : all;
  }
  if (has_constant_right(store, t, TERM_LSHR)) {
    Bits by = term_constant_value(store, child_of(store, t, 1));
    return by < width ? all >> by : 0;
  }
  return all;
}

// Comparisons with the ends of the order. `k` is read in that order: signed constants have the sign bit flipped.
static Term compare_with_end(TermStore *store, TermOperator op, Term t, Term constant, bool constant_left) {
  unsigned width = width_of(store, t);
  Bits flip = is_signed_order(op) ? sign_bit(width) : 0, last = bits_mask(width);
  Bits k = term_constant_value(store, constant) ^ flip;
  bool strict = is_strict(op);
  Term low_end = term_constant(store, width, flip), high_end = term_constant(store, width, last ^ flip);
  if (constant_left) { // k < t, k <= t
    if (strict ? k == last : k == 0) return term_bool(store, !strict);
    if (k == (strict ? last - 1 : last)) return term_eq(store, t, high_end);
    return k == (strict ? 0 : 1) ? term_ne(store, t, low_end) : TERM_NONE;
  }
  if (strict ? k == 0 : k == last) return term_bool(store, !strict);
  if (k == (strict ? 1 : 0)) return term_eq(store, t, low_end);
  return k == (strict ? last : last - 1) ? term_ne(store, t, high_end) : TERM_NONE;
}

// An extended term and a constant: the constant is made narrow, or lies beside all values of the term.
static Term compare_extension(TermStore *store, TermOperator op, Term t, Term constant, bool constant_left) {
  Term x = child_of(store, t, 0);
  unsigned inner_width = width_of(store, x), width = width_of(store, t);
  Term narrow = term_constant(store, inner_width, term_constant_value(store, constant));
  if (is_operator(store, t, TERM_ZEXT)) {
    TermOperator unsigned_op = is_strict(op) ? TERM_ULT : TERM_ULE;
    if (term_zero_extend(store, narrow, width) == constant)
      return compare(store, unsigned_op, x, narrow, constant_left);
    return compare(store, op, term_constant(store, width, 0), constant, constant_left);
  }
  if (term_sign_extend(store, narrow, width) == constant) return compare(store, op, x, narrow, constant_left);
  if (is_signed_order(op)) return compare(store, op, term_constant(store, width, 0), constant, constant_left);
  // In the unsigned order the constant lies between the values that are not negative and those that are.
  Term negative = term_binary(store, TERM_SLT, x, term_constant(store, inner_width, 0));
  return constant_left ? negative : term_not(store, negative);
}

static Term compare_constant(TermStore *store, TermOperator op, Term t, Term constant, bool constant_left) {
  Term result = compare_with_end(store, op, t, constant, constant_left);
  if (result) return result;
  TermOperator kind = operator_of(store, t);
  if (kind == TERM_ZEXT || kind == TERM_SEXT) return compare_extension(store, op, t, constant, constant_left);
  if (kind == TERM_ITE) return compare_choice(store, op, t, constant, constant_left);
  unsigned width = width_of(store, t);
  Bits bound = upper_bound(store, t), k = term_constant_value(store, constant);
  if (is_signed_order(op)) {
    if (is_negative(width, bound)) return TERM_NONE;
    if (is_negative(width, k)) return term_bool(store, constant_left);
    return compare(store, is_strict(op) ? TERM_ULT : TERM_ULE, t, constant, constant_left);
  }
  if (constant_left) return (is_strict(op) ? bound <= k : bound < k) ? term_false(store) : TERM_NONE;
  return (is_strict(op) ? bound < k : bound <= k) ? term_true(store) : TERM_NONE;
}

static Term compare_booleans(TermStore *store, TermOperator op, Term a, Term b) {
  switch (op) {
  case TERM_ULT: return term_and(store, term_not(store, a), b);
  case TERM_ULE: return term_or(store, term_not(store, a), b);
  case TERM_SLT: return term_and(store, a, term_not(store, b)); // 1 is the number -1
  default: return term_or(store, a, term_not(store, b));
  }
}

Term simplify_comparison(TermStore *store, TermOperator op, Term a, Term b) {
  if (a == b) return term_bool(store, !is_strict(op));
  if (width_of(store, a) == 1) return compare_booleans(store, op, a, b);
  if (is_constant(store, b)) return compare_constant(store, op, a, b, false);
  if (is_constant(store, a)) return compare_constant(store, op, b, a, true);
  TermOperator kind = operator_of(store, a);
  if (!is_operator(store, b, kind)) return TERM_NONE;
  Term x = child_of(store, a, 0), y = child_of(store, b, 0);
  if (kind == TERM_NOT) return term_binary(store, op, y, x);
  if (kind != TERM_ZEXT && kind != TERM_SEXT) return TERM_NONE;
  unsigned wx = width_of(store, x), wy = width_of(store, y), width = wx > wy ? wx : wy;
  if (kind == TERM_SEXT) // keeps both orders
    return term_binary(store, op, term_sign_extend(store, x, width), term_sign_extend(store, y, width));
  return term_binary(store, is_strict(op) ? TERM_ULT : TERM_ULE, term_zero_extend(store, x, width),
                     term_zero_extend(store, y, width));
}
