// ITE: choices between terms.
#include "term/term_internal.h"

// What `branch` is where `condition` is known to be `value`; TERM_NONE if that is nothing simpler.
static Term assume(TermStore *store, Term branch, Term condition, bool value) {
  if (branch == condition) return term_bool(store, value);
  if (is_operator(store, branch, TERM_ITE)) {
    Term inner = child_of(store, branch, 0);
    if (inner == condition) return child_of(store, branch, value ? 1 : 2);
    if (are_complements(store, inner, condition)) return child_of(store, branch, value ? 2 : 1);
  }
  if (term_sort(store, branch) == sort_bits(1) && !is_constant(store, branch) &&
      are_complements(store, branch, condition))
    return term_bool(store, !value);
  if (value && is_operator(store, condition, TERM_EQ) && is_constant(store, child_of(store, condition, 1)) &&
      branch == child_of(store, condition, 0))
    return child_of(store, condition, 1);
  return TERM_NONE;
}

static Term simplify_boolean_ite(TermStore *store, Term c, Term a, Term b) {
  if (term_is_true(store, a)) return term_or(store, c, b);
  if (term_is_false(store, a)) return term_and(store, term_not(store, c), b);
  if (term_is_true(store, b)) return term_or(store, term_not(store, c), a);
  if (term_is_false(store, b)) return term_and(store, c, a);
  return are_complements(store, a, b) ? term_eq(store, c, a) : TERM_NONE;
}

// Two constants that an extended condition expresses.
static Term simplify_constant_ite(TermStore *store, Term c, Term a, Term b) {
  if (!is_constant(store, a) || !is_constant(store, b)) return TERM_NONE;
  unsigned width = width_of(store, a);
  Bits yes = term_constant_value(store, a), no = term_constant_value(store, b), ones = bits_mask(width);
  if (yes == 1 && no == 0) return term_zero_extend(store, c, width);
  if (yes == 0 && no == 1) return term_zero_extend(store, term_not(store, c), width);
  if (yes == ones && no == 0) return term_sign_extend(store, c, width);
  if (yes == 0 && no == ones) return term_sign_extend(store, term_not(store, c), width);
  return TERM_NONE;
}

// Nested choices where two of the three outcomes are the same.
static Term merge_choices(TermStore *store, Term c, Term a, Term b) {
  if (is_operator(store, b, TERM_ITE)) {
    Term d = child_of(store, b, 0), x = child_of(store, b, 1), y = child_of(store, b, 2);
    if (x == a) return term_ite(store, term_or(store, c, d), a, y);
    if (y == a) return term_ite(store, term_and(store, term_not(store, c), d), x, a);
  }
  if (is_operator(store, a, TERM_ITE)) {
    Term d = child_of(store, a, 0), x = child_of(store, a, 1), y = child_of(store, a, 2);
    if (y == b) return term_ite(store, term_and(store, c, d), x, b);
    if (x == b) return term_ite(store, term_and(store, c, term_not(store, d)), y, b);
  }
  return TERM_NONE;
}

// The narrow form of `t` if it is extended by `kind` from `width` bits, or a constant that could be.
static Term narrowed(TermStore *store, TermOperator kind, Term t, unsigned width) {
  if (is_operator(store, t, kind)) {
    Term x = child_of(store, t, 0);
    return width_of(store, x) == width ? x : TERM_NONE;
  }
  if (!is_constant(store, t)) return TERM_NONE;
  Bits value = term_constant_value(store, t);
  Term narrow = term_constant(store, width, value);
  Term wide = kind == TERM_ZEXT ? term_zero_extend(store, narrow, width_of(store, t))
                                : term_sign_extend(store, narrow, width_of(store, t));
  return wide == t ? narrow : TERM_NONE;
}

static Term lift_extension(TermStore *store, Term c, Term a, Term b) {
  Term extended = is_operator(store, a, TERM_ZEXT) || is_operator(store, a, TERM_SEXT) ? a : b;
  TermOperator kind = operator_of(store, extended);
  if (kind != TERM_ZEXT && kind != TERM_SEXT) return TERM_NONE;
  unsigned narrow_width = width_of(store, child_of(store, extended, 0)), width = width_of(store, a);
  Term x = narrowed(store, kind, a, narrow_width), y = narrowed(store, kind, b, narrow_width);
  if (!x || !y) return TERM_NONE;
  Term inner = term_ite(store, c, x, y);
  return kind == TERM_ZEXT ? term_zero_extend(store, inner, width) : term_sign_extend(store, inner, width);
}

// ite(c, x op y, x op z) is x op ite(c, y, z): one operation less.
static Term share_operand(TermStore *store, Term c, Term a, Term b) {
  TermOperator op = operator_of(store, a);
  if (!is_operator(store, b, op)) return TERM_NONE;
  if (op == TERM_NOT) return term_not(store, term_ite(store, c, child_of(store, a, 0), child_of(store, b, 0)));
  if (op < TERM_AND || op > TERM_CONCAT || arity_of_operator(op) != 2) return TERM_NONE;
  if (term_sort(store, a) == sort_bits(1)) return TERM_NONE;
  Term a0 = child_of(store, a, 0), a1 = child_of(store, a, 1), b0 = child_of(store, b, 0), b1 = child_of(store, b, 1);
  if (a0 == b0 && term_sort(store, a1) == term_sort(store, b1))
    return term_binary(store, op, a0, term_ite(store, c, a1, b1));
  if (a1 == b1 && term_sort(store, a0) == term_sort(store, b0))
    return term_binary(store, op, term_ite(store, c, a0, b0), a1);
  if (!operator_commutes(op)) return TERM_NONE;
  if (a0 == b1) return term_binary(store, op, a0, term_ite(store, c, a1, b0));
  if (a1 == b0) return term_binary(store, op, a1, term_ite(store, c, a0, b1));
  return TERM_NONE;
}

static Term simplify_array_ite(TermStore *store, Term c, Term a, Term b) {
  if (!is_operator(store, a, TERM_STORE) || !is_operator(store, b, TERM_STORE)) return TERM_NONE;
  Term array = child_of(store, a, 0), index = child_of(store, a, 1);
  if (child_of(store, b, 0) != array || child_of(store, b, 1) != index) return TERM_NONE;
  Term element = term_ite(store, c, child_of(store, a, 2), child_of(store, b, 2));
  return term_store_element(store, array, index, element);
}

Term simplify_ite(TermStore *store, Term c, Term a, Term b) {
  if (is_operator(store, c, TERM_NOT)) return term_ite(store, child_of(store, c, 0), b, a);
  if (is_operator(store, c, TERM_EQ)) {
    Term x = child_of(store, c, 0), y = child_of(store, c, 1);
    if ((a == x && b == y) || (a == y && b == x)) return b;
  }
  Term simpler_a = assume(store, a, c, true), simpler_b = assume(store, b, c, false);
  if (simpler_a || simpler_b) return term_ite(store, c, simpler_a ? simpler_a : a, simpler_b ? simpler_b : b);
  Sort sort = term_sort(store, a);
  Term result = TERM_NONE;
  if (sort == sort_bits(1))
    result = simplify_boolean_ite(store, c, a, b);
  else if (sort_is_array(sort))
    result = simplify_array_ite(store, c, a, b);
  else
    result = simplify_constant_ite(store, c, a, b);
  if (!result) result = merge_choices(store, c, a, b);
  if (result || sort_is_array(sort)) return result;
  result = lift_extension(store, c, a, b);
  return result ? result : share_operand(store, c, a, b);
}
