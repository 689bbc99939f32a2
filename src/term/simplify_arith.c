// NEG, ADD, SUB, MUL. Constants drift outwards and to the right: (x + 1) + y becomes (x + y) + 1, x - 1 becomes x + -1.
#include "term/term_internal.h"

static Bits right_constant(const TermStore *store, Term t) { return term_constant_value(store, child_of(store, t, 1)); }

static bool has_constant_left(const TermStore *store, Term t, TermOperator op) {
  return is_operator(store, t, op) && is_constant(store, child_of(store, t, 0));
}

// The other operand if `x` is an operand of the binary term `t`, else TERM_NONE.
static Term other_operand(const TermStore *store, Term t, Term x) {
  if (child_of(store, t, 0) == x) return child_of(store, t, 1);
  return child_of(store, t, 1) == x ? child_of(store, t, 0) : TERM_NONE;
}

Term simplify_neg(TermStore *store, Term a) {
  unsigned width = width_of(store, a);
  if (width == 1) return a;
  if (is_operator(store, a, TERM_NEG)) return child_of(store, a, 0);
  if (is_operator(store, a, TERM_SUB)) return term_sub(store, child_of(store, a, 1), child_of(store, a, 0));
  if (has_constant_right(store, a, TERM_ADD))
    return term_sub(store, term_constant(store, width, -right_constant(store, a)), child_of(store, a, 0));
  if (has_constant_right(store, a, TERM_MUL))
    return term_binary(store, TERM_MUL, child_of(store, a, 0), term_constant(store, width, -right_constant(store, a)));
  TermOperator op = operator_of(store, a);
  if ((op == TERM_ZEXT || op == TERM_SEXT) && width_of(store, child_of(store, a, 0)) == 1) {
    Term bit = child_of(store, a, 0); // minus 0 or 1 is 0 or all ones, and the other way round
    return op == TERM_ZEXT ? term_sign_extend(store, bit, width) : term_zero_extend(store, bit, width);
  }
  return TERM_NONE;
}

static Term add_constant(TermStore *store, Term a, Term b) {
  Bits k = term_constant_value(store, b);
  if (k == 0) return a;
  if (k == 1 && is_operator(store, a, TERM_NOT)) return term_unary(store, TERM_NEG, child_of(store, a, 0));
  if (has_constant_right(store, a, TERM_ADD)) {
    Term x = child_of(store, a, 0);
    return term_add_constant(store, x, right_constant(store, a) + k);
  }
  if (has_constant_left(store, a, TERM_SUB)) {
    Term x = child_of(store, a, 1);
    return term_sub(store, term_add_constant(store, child_of(store, a, 0), k), x);
  }
  return TERM_NONE;
}

// Rules for a + b that look into `a`; tried with the operands in both orders.
static Term add_into(TermStore *store, Term a, Term b) {
  if (is_operator(store, a, TERM_NEG)) return term_sub(store, b, child_of(store, a, 0));
  if (is_operator(store, a, TERM_SUB) && child_of(store, a, 1) == b) return child_of(store, a, 0);
  if (has_constant_right(store, a, TERM_ADD)) {
    Bits k = right_constant(store, a);
    return term_add_constant(store, term_add(store, child_of(store, a, 0), b), k);
  }
  if (has_constant_left(store, a, TERM_SUB)) {
    Bits k = term_constant_value(store, child_of(store, a, 0));
    return term_add_constant(store, term_sub(store, b, child_of(store, a, 1)), k);
  }
  return TERM_NONE;
}

Term simplify_add(TermStore *store, Term a, Term b) {
  unsigned width = width_of(store, a);
  if (width == 1) return term_binary(store, TERM_XOR, a, b);
  if (is_constant(store, b)) return add_constant(store, a, b);
  if (a == b) return term_binary(store, TERM_MUL, a, term_constant(store, width, 2));
  if (are_complements(store, a, b)) return term_constant(store, width, bits_mask(width));
  Term result = add_into(store, a, b);
  if (!result) result = add_into(store, b, a);
  if (!result) result = join_halves(store, a, b);
  return result ? result : join_halves(store, b, a);
}

static Term subtract_from_constant(TermStore *store, Term a, Term b) {
  Bits k = term_constant_value(store, a);
  if (k == 0) return term_unary(store, TERM_NEG, b);
  if (k == bits_mask(width_of(store, a))) return term_not(store, b);
  if (has_constant_right(store, b, TERM_ADD)) {
    Term x = child_of(store, b, 0);
    return term_sub(store, term_add_constant(store, a, -right_constant(store, b)), x);
  }
  if (has_constant_left(store, b, TERM_SUB)) {
    Term x = child_of(store, b, 1);
    return term_add_constant(store, x, k - term_constant_value(store, child_of(store, b, 0)));
  }
  return TERM_NONE;
}

// What is common to both sides of a - b cancels.
static Term cancel_difference(TermStore *store, Term a, Term b) {
  Term rest;
  if (is_operator(store, a, TERM_ADD) && (rest = other_operand(store, a, b))) return rest;
  if (is_operator(store, b, TERM_ADD) && (rest = other_operand(store, b, a))) return term_unary(store, TERM_NEG, rest);
  if (is_operator(store, a, TERM_SUB) && child_of(store, a, 0) == b)
    return term_unary(store, TERM_NEG, child_of(store, a, 1));
  if (is_operator(store, b, TERM_SUB) && child_of(store, b, 0) == a) return child_of(store, b, 1);
  if (is_operator(store, a, TERM_ADD) && is_operator(store, b, TERM_ADD)) {
    Term b0 = child_of(store, b, 0), b1 = child_of(store, b, 1);
    if ((rest = other_operand(store, a, b0))) return term_sub(store, rest, b1);
    if ((rest = other_operand(store, a, b1))) return term_sub(store, rest, b0);
  }
  return TERM_NONE;
}

Term simplify_sub(TermStore *store, Term a, Term b) {
  unsigned width = width_of(store, a);
  if (width == 1) return term_binary(store, TERM_XOR, a, b);
  if (a == b) return term_constant(store, width, 0);
  if (is_constant(store, b)) return term_add_constant(store, a, -term_constant_value(store, b));
  if (is_operator(store, b, TERM_NEG)) return term_add(store, a, child_of(store, b, 0));
  if (is_constant(store, a)) return subtract_from_constant(store, a, b);
  Term cancelled = cancel_difference(store, a, b);
  if (cancelled) return cancelled;
  if (has_constant_right(store, a, TERM_ADD)) {
    Bits k = right_constant(store, a);
    return term_add_constant(store, term_sub(store, child_of(store, a, 0), b), k);
  }
  if (has_constant_right(store, b, TERM_ADD)) {
    Bits k = right_constant(store, b);
    return term_add_constant(store, term_sub(store, a, child_of(store, b, 0)), -k);
  }
  if (has_constant_left(store, b, TERM_SUB)) {
    Bits k = term_constant_value(store, child_of(store, b, 0));
    return term_add_constant(store, term_add(store, a, child_of(store, b, 1)), -k);
  }
  return TERM_NONE;
}

static Term multiply_by_constant(TermStore *store, Term a, Term b) {
  unsigned width = width_of(store, a);
  Bits k = term_constant_value(store, b);
  if (k == 0) return b;
  if (k == 1) return a;
  if (k == bits_mask(width)) return term_unary(store, TERM_NEG, a);
  if (is_operator(store, a, TERM_NEG))
    return term_binary(store, TERM_MUL, child_of(store, a, 0), term_constant(store, width, -k));
  if (has_constant_right(store, a, TERM_MUL)) {
    Term x = child_of(store, a, 0);
    return term_binary(store, TERM_MUL, x, term_constant(store, width, right_constant(store, a) * k));
  }
  if (has_constant_right(store, a, TERM_SHL)) {
    Bits by = right_constant(store, a);
    Term x = child_of(store, a, 0);
    return term_binary(store, TERM_MUL, x, term_constant(store, width, by < width ? k << by : 0));
  }
  return TERM_NONE;
}

Term simplify_mul(TermStore *store, Term a, Term b) {
  if (width_of(store, a) == 1) return term_and(store, a, b);
  if (is_constant(store, b)) return multiply_by_constant(store, a, b);
  bool a_negated = is_operator(store, a, TERM_NEG), b_negated = is_operator(store, b, TERM_NEG);
  if (!a_negated && !b_negated) return TERM_NONE;
  Term product =
      term_binary(store, TERM_MUL, a_negated ? child_of(store, a, 0) : a, b_negated ? child_of(store, b, 0) : b);
  return a_negated && b_negated ? product : term_unary(store, TERM_NEG, product);
}
