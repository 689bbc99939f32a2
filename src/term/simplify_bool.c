// NOT, AND, OR, XOR: on one bit the connectives, on more the bitwise operators. Most rules hold for both.
#include "term/term_internal.h"

enum { MAX_OPERANDS = 12 }; // of a nested conjunction or disjunction, how many are looked at

bool are_complements(const TermStore *store, Term a, Term b) {
  const TermNode *x = node_of(store, a), *y = node_of(store, b);
  if (x->op == TERM_NOT && x->words[0] == b) return true;
  if (y->op == TERM_NOT && y->words[0] == a) return true;
  if (x->words[0] == y->words[1] && x->words[1] == y->words[0])
    return (x->op == TERM_ULT && y->op == TERM_ULE) || (x->op == TERM_ULE && y->op == TERM_ULT) ||
           (x->op == TERM_SLT && y->op == TERM_SLE) || (x->op == TERM_SLE && y->op == TERM_SLT);
  if (x->words[0] == y->words[0] && x->words[1] == y->words[1] && x->sort == 1 && y->sort == 1) {
    if (x->op == TERM_XOR && y->op == TERM_EQ) return width_of(store, x->words[0]) == 1;
    if (x->op == TERM_EQ && y->op == TERM_XOR) return true; // both have the same operands of one bit
  }
  return is_constant(store, a) && is_constant(store, b) &&
         (term_constant_value(store, a) ^ term_constant_value(store, b)) == bits_mask(x->sort);
}

// --- NOT ---

static bool negates_for_free(const TermStore *store, Term t) {
  return is_constant(store, t) || is_operator(store, t, TERM_NOT);
}

Term simplify_not(TermStore *store, Term a) {
  TermNode node = *node_of(store, a);
  Term x = node.words[0], y = node.words[1];
  switch ((TermOperator)node.op) {
  case TERM_NOT: return x;
  case TERM_ULT: return term_binary(store, TERM_ULE, y, x);
  case TERM_ULE: return term_binary(store, TERM_ULT, y, x);
  case TERM_SLT: return term_binary(store, TERM_SLE, y, x);
  case TERM_SLE: return term_binary(store, TERM_SLT, y, x);
  case TERM_EQ:
    if (term_sort(store, x) == sort_bits(1)) return term_binary(store, TERM_XOR, x, y);
    return TERM_NONE;
  case TERM_XOR:
    if (node.sort == 1) return term_eq(store, x, y);
    if (is_constant(store, y)) return term_binary(store, TERM_XOR, x, term_not(store, y));
    return TERM_NONE;
  case TERM_SEXT: return term_sign_extend(store, term_not(store, x), node.sort);
  case TERM_ITE:
    if (!negates_for_free(store, y) || !negates_for_free(store, node.words[2])) return TERM_NONE;
    return term_ite(store, x, term_not(store, y), term_not(store, node.words[2]));
  default: return TERM_NONE;
  }
}

// --- AND and OR: one is the other upside down ---

typedef struct Lattice {
  TermOperator op, dual;
  Bits neutral, zero; // all ones and 0 for AND, 0 and all ones for OR
} Lattice;

static Lattice lattice_of(TermOperator op, unsigned width) {
  Bits ones = bits_mask(width);
  return op == TERM_AND ? (Lattice){TERM_AND, TERM_OR, ones, 0} : (Lattice){TERM_OR, TERM_AND, 0, ones};
}

static Bits lattice_apply(TermOperator op, Bits a, Bits b) { return op == TERM_AND ? a & b : a | b; }

// Lists the operands of nested `op`, at most MAX_OPERANDS; what is too deep stays together as one operand.
static unsigned list_operands(const TermStore *store, TermOperator op, Term t, Term *operands) {
  unsigned count = 1;
  operands[0] = t;
  for (unsigned i = 0; i < count;) {
    if (!is_operator(store, operands[i], op) || count == MAX_OPERANDS) {
      i++;
      continue;
    }
    Term inner = operands[i];
    operands[i] = child_of(store, inner, 0);
    operands[count++] = child_of(store, inner, 1);
  }
  return count;
}

static Term join_operands(TermStore *store, TermOperator op, const Term *operands, unsigned count, unsigned without) {
  Term result = TERM_NONE;
  for (unsigned i = 0; i < count; i++) {
    if (i == without) continue;
    result = result ? term_binary(store, op, result, operands[i]) : operands[i];
  }
  return result;
}

// a op (d1 dual d2 ...), `b` being the parenthesis: absorbed if some di is an operand of `a`, and shortened if the
// complement of one is.
static Term absorb(TermStore *store, Lattice l, const Term *list, unsigned count, Term a, Term b) {
  if (!is_operator(store, b, l.dual)) return TERM_NONE;
  Term duals[MAX_OPERANDS];
  unsigned dual_count = list_operands(store, l.dual, b, duals);
  for (unsigned i = 0; i < dual_count; i++) {
    for (unsigned j = 0; j < count; j++) {
      if (duals[i] == list[j]) return a;
      if (are_complements(store, duals[i], list[j]))
        return term_binary(store, l.op, a, join_operands(store, l.dual, duals, dual_count, i));
    }
  }
  return TERM_NONE;
}

// Looks for equal, complementary and related operands on both sides.
static Term compare_operands(TermStore *store, Lattice l, Term a, Term b) {
  Term left[MAX_OPERANDS], right[MAX_OPERANDS];
  unsigned left_count = list_operands(store, l.op, a, left), right_count = list_operands(store, l.op, b, right);
  unsigned width = width_of(store, a);
  for (unsigned i = 0; i < right_count; i++) {
    for (unsigned j = 0; j < left_count; j++) {
      if (left[j] == right[i]) {
        if (right_count == 1) return a;
        if (left_count == 1) return b;
        return term_binary(store, l.op, a, join_operands(store, l.op, right, right_count, i));
      }
      if (are_complements(store, left[j], right[i])) return term_constant(store, width, l.zero);
      if (width != 1) continue;
      Term merged = simplify_ranges(store, l.op, left[j], right[i]);
      if (!merged) continue;
      if (left_count == 1 && right_count == 1) return merged;
      Term rest_left = join_operands(store, l.op, left, left_count, j);
      Term rest_right = join_operands(store, l.op, right, right_count, i);
      Term rest = !rest_left ? rest_right : !rest_right ? rest_left : term_binary(store, l.op, rest_left, rest_right);
      return term_binary(store, l.op, rest, merged);
    }
  }
  Term absorbed = absorb(store, l, left, left_count, a, b);
  return absorbed ? absorbed : absorb(store, l, right, right_count, b, a);
}

// concat(h, l) with a constant that keeps one half as it is, or makes it constant.
static Term split_concat(TermStore *store, Lattice l, Term a, Bits k) {
  Term high = child_of(store, a, 0), low = child_of(store, a, 1);
  unsigned low_width = width_of(store, low), high_width = width_of(store, high);
  Bits low_k = k & bits_mask(low_width), high_k = k >> low_width;
  bool low_trivial = low_k == 0 || low_k == bits_mask(low_width);
  bool high_trivial = high_k == 0 || high_k == bits_mask(high_width);
  if (!low_trivial && !high_trivial) return TERM_NONE;
  return term_binary(store, TERM_CONCAT, term_binary(store, l.op, high, term_constant(store, high_width, high_k)),
                     term_binary(store, l.op, low, term_constant(store, low_width, low_k)));
}

static Term lattice_with_constant(TermStore *store, Lattice l, Term a, Term b) {
  unsigned width = width_of(store, a);
  Bits k = term_constant_value(store, b);
  if (k == l.neutral) return a;
  if (k == l.zero) return b;
  if (has_constant_right(store, a, l.op)) {
    Term x = child_of(store, a, 0);
    Bits inner = term_constant_value(store, child_of(store, a, 1));
    return term_binary(store, l.op, x, term_constant(store, width, lattice_apply(l.op, inner, k)));
  }
  if (has_constant_right(store, a, l.dual)) {
    Term x = child_of(store, a, 0);
    Bits inner = term_constant_value(store, child_of(store, a, 1));
    // (x | K1) & K: where K1 and K have no bit in common K1 is lost, and where K1 covers K nothing of x is left.
    if (lattice_apply(l.op, inner, k) == l.zero) return term_binary(store, l.op, x, b);
    if (lattice_apply(l.op, inner, k) == k) return b;
  }
  if (is_operator(store, a, TERM_ZEXT)) {
    Term x = child_of(store, a, 0);
    unsigned inner_width = width_of(store, x);
    if (l.op == TERM_AND || k >> inner_width == 0)
      return term_zero_extend(store, term_binary(store, l.op, x, term_constant(store, inner_width, k)), width);
  }
  return is_operator(store, a, TERM_CONCAT) ? split_concat(store, l, a, k) : TERM_NONE;
}

// Both operands extended in the same way from the same width.
static Term narrow_extensions(TermStore *store, TermOperator op, Term a, Term b) {
  TermOperator kind = operator_of(store, a);
  if ((kind != TERM_ZEXT && kind != TERM_SEXT) || !is_operator(store, b, kind)) return TERM_NONE;
  Term x = child_of(store, a, 0), y = child_of(store, b, 0);
  if (width_of(store, x) != width_of(store, y)) return TERM_NONE;
  Term inner = term_binary(store, op, x, y);
  return kind == TERM_ZEXT ? term_zero_extend(store, inner, width_of(store, a))
                           : term_sign_extend(store, inner, width_of(store, a));
}

// concat(h, 0) joined with something that fits below h.
Term join_halves(TermStore *store, Term a, Term b) {
  if (!is_operator(store, a, TERM_CONCAT) || !is_zero(store, child_of(store, a, 1))) return TERM_NONE;
  if (!is_operator(store, b, TERM_ZEXT)) return TERM_NONE;
  Term low = child_of(store, b, 0);
  unsigned room = width_of(store, child_of(store, a, 1));
  if (width_of(store, low) > room) return TERM_NONE;
  return term_binary(store, TERM_CONCAT, child_of(store, a, 0), term_zero_extend(store, low, room));
}

static Term simplify_lattice(TermStore *store, TermOperator op, Term a, Term b) {
  Lattice l = lattice_of(op, width_of(store, a));
  if (a == b) return a;
  if (is_constant(store, b)) return lattice_with_constant(store, l, a, b);
  Term result = narrow_extensions(store, op, a, b);
  if (!result && op == TERM_OR) result = join_halves(store, a, b);
  if (!result && op == TERM_OR) result = join_halves(store, b, a);
  return result ? result : compare_operands(store, l, a, b);
}

Term simplify_and(TermStore *store, Term a, Term b) { return simplify_lattice(store, TERM_AND, a, b); }

Term simplify_or(TermStore *store, Term a, Term b) { return simplify_lattice(store, TERM_OR, a, b); }

// --- XOR ---

// x ^ (x ^ y) is y.
static Term cancel_xor(const TermStore *store, Term a, Term b) {
  if (!is_operator(store, b, TERM_XOR)) return TERM_NONE;
  if (child_of(store, b, 0) == a) return child_of(store, b, 1);
  return child_of(store, b, 1) == a ? child_of(store, b, 0) : TERM_NONE;
}

Term simplify_xor(TermStore *store, Term a, Term b) {
  unsigned width = width_of(store, a);
  if (a == b) return term_constant(store, width, 0);
  if (is_zero(store, b)) return a;
  if (is_all_ones(store, b)) return term_not(store, a);
  if (are_complements(store, a, b)) return term_constant(store, width, bits_mask(width));
  bool a_negated = is_operator(store, a, TERM_NOT), b_negated = is_operator(store, b, TERM_NOT);
  if (is_constant(store, b)) {
    if (a_negated) return term_binary(store, TERM_XOR, child_of(store, a, 0), term_not(store, b));
    if (!has_constant_right(store, a, TERM_XOR)) return TERM_NONE;
    Term x = child_of(store, a, 0);
    return term_binary(store, TERM_XOR, x, term_binary(store, TERM_XOR, child_of(store, a, 1), b));
  }
  if (a_negated || b_negated) {
    Term inner =
        term_binary(store, TERM_XOR, a_negated ? child_of(store, a, 0) : a, b_negated ? child_of(store, b, 0) : b);
    return a_negated && b_negated ? inner : term_not(store, inner);
  }
  Term result = cancel_xor(store, a, b);
  if (!result) result = cancel_xor(store, b, a);
  if (!result) result = narrow_extensions(store, TERM_XOR, a, b);
  return result;
}
