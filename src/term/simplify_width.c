// EXTRACT, CONCAT, ZEXT, SEXT: chains of them collapse.
#include "term/term_internal.h"

// --- EXTRACT ---

static Term extract_of_concat(TermStore *store, Term a, unsigned high, unsigned low) {
  Term upper = child_of(store, a, 0), lower = child_of(store, a, 1);
  unsigned lower_width = width_of(store, lower), width = width_of(store, a);
  if (high < lower_width) return term_extract(store, lower, high, low);
  if (low >= lower_width) return term_extract(store, upper, high - lower_width, low - lower_width);
  // Across the border: two extracts would be larger, unless one half is taken whole or is a constant.
  bool whole = high == width - 1 || low == 0 || is_constant(store, upper) || is_constant(store, lower);
  if (!whole) return TERM_NONE;
  return term_binary(store, TERM_CONCAT, term_extract(store, upper, high - lower_width, 0),
                     term_extract(store, lower, lower_width - 1, low));
}

static Term extract_of_extension(TermStore *store, Term a, unsigned high, unsigned low) {
  Term x = child_of(store, a, 0);
  unsigned inner_width = width_of(store, x), width = high - low + 1;
  bool is_signed = is_operator(store, a, TERM_SEXT);
  if (high < inner_width) return term_extract(store, x, high, low);
  if (low >= inner_width) {
    if (!is_signed) return term_constant(store, width, 0);
    return term_sign_extend(store, term_extract(store, x, inner_width - 1, inner_width - 1), width);
  }
  Term part = term_extract(store, x, inner_width - 1, low);
  return is_signed ? term_sign_extend(store, part, width) : term_zero_extend(store, part, width);
}

// Whether taking bits of `t` gives a term no larger than `t`.
static bool extracts_for_free(const TermStore *store, Term t, unsigned low) {
  TermOperator op = operator_of(store, t);
  return op == TERM_CONSTANT || op == TERM_EXTRACT || ((op == TERM_ZEXT || op == TERM_SEXT) && low == 0);
}

static Term extract_each(TermStore *store, Term a, unsigned high, unsigned low) {
  TermNode node = *node_of(store, a);
  Term children[3];
  for (unsigned i = 0; i < arity_of_operator((TermOperator)node.op); i++) {
    bool condition = node.op == TERM_ITE && i == 0;
    children[i] = condition ? node.words[i] : term_extract(store, node.words[i], high, low);
  }
  return term_rebuild(store, a, children);
}

// (char)((int)x + 1) is x + 1 on the narrow type: for operators whose low bits depend on low bits only.
static Term extract_of_operation(TermStore *store, Term a, unsigned high, unsigned low) {
  TermNode node = *node_of(store, a);
  switch ((TermOperator)node.op) {
  case TERM_ADD:
  case TERM_SUB:
  case TERM_MUL:
  case TERM_NEG:
    if (low != 0) return TERM_NONE;
    break;
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_ITE: break;
  default: return TERM_NONE;
  }
  for (unsigned i = node.op == TERM_ITE; i < arity_of_operator((TermOperator)node.op); i++)
    if (!extracts_for_free(store, node.words[i], low)) return TERM_NONE;
  return extract_each(store, a, high, low);
}

Term simplify_extract(TermStore *store, Term a, unsigned high, unsigned low) {
  switch (operator_of(store, a)) {
  case TERM_EXTRACT: {
    unsigned offset = term_parameter(store, a, 1);
    return term_extract(store, child_of(store, a, 0), high + offset, low + offset);
  }
  case TERM_CONCAT: return extract_of_concat(store, a, high, low);
  case TERM_ZEXT:
  case TERM_SEXT: return extract_of_extension(store, a, high, low);
  default: return extract_of_operation(store, a, high, low);
  }
}

// --- CONCAT ---

// Neighbouring parts of one term, `a` above `b`.
static Term join_parts(TermStore *store, Term a, Term b) {
  if (!is_operator(store, a, TERM_EXTRACT) || !is_operator(store, b, TERM_EXTRACT)) return TERM_NONE;
  Term x = child_of(store, a, 0);
  if (child_of(store, b, 0) != x || term_parameter(store, a, 1) != term_parameter(store, b, 0) + 1) return TERM_NONE;
  return term_extract(store, x, term_parameter(store, a, 0), term_parameter(store, b, 1));
}

// `a` and `b` side by side, where that is simpler than a CONCAT of them.
static Term join_pair(TermStore *store, Term a, Term b) {
  if (is_constant(store, a) && is_constant(store, b)) return term_binary(store, TERM_CONCAT, a, b);
  return join_parts(store, a, b);
}

Term simplify_concat(TermStore *store, Term a, Term b) {
  unsigned width = width_of(store, a) + width_of(store, b);
  if (is_zero(store, a)) return term_zero_extend(store, b, width);
  Term joined = join_pair(store, a, b);
  if (joined) return joined;
  if (is_operator(store, a, TERM_ZEXT))
    return term_zero_extend(store, term_binary(store, TERM_CONCAT, child_of(store, a, 0), b), width);
  if (is_operator(store, b, TERM_CONCAT)) {
    Term low = child_of(store, b, 1);
    joined = join_pair(store, a, child_of(store, b, 0));
    if (joined) return term_binary(store, TERM_CONCAT, joined, low);
  }
  if (is_operator(store, a, TERM_CONCAT)) {
    Term high = child_of(store, a, 0);
    joined = join_pair(store, child_of(store, a, 1), b);
    if (joined) return term_binary(store, TERM_CONCAT, high, joined);
  }
  if (is_operator(store, a, TERM_ITE) && is_operator(store, b, TERM_ITE) &&
      child_of(store, a, 0) == child_of(store, b, 0)) {
    Term c = child_of(store, a, 0), b_yes = child_of(store, b, 1), b_no = child_of(store, b, 2);
    Term a_no = child_of(store, a, 2);
    Term yes = term_binary(store, TERM_CONCAT, child_of(store, a, 1), b_yes);
    return term_ite(store, c, yes, term_binary(store, TERM_CONCAT, a_no, b_no));
  }
  return TERM_NONE;
}

// --- ZEXT and SEXT ---

Term simplify_extension(TermStore *store, TermOperator op, Term a, unsigned width) {
  TermOperator inner = operator_of(store, a);
  if (inner == TERM_ZEXT) return term_zero_extend(store, child_of(store, a, 0), width); // its sign bit is 0
  if (inner == TERM_SEXT && op == TERM_SEXT) return term_sign_extend(store, child_of(store, a, 0), width);
  if (inner == TERM_ITE) {
    Term c = child_of(store, a, 0), yes = child_of(store, a, 1), no = child_of(store, a, 2);
    if (!is_constant(store, yes) || !is_constant(store, no)) return TERM_NONE;
    if (op == TERM_ZEXT)
      return term_ite(store, c, term_zero_extend(store, yes, width), term_zero_extend(store, no, width));
    return term_ite(store, c, term_sign_extend(store, yes, width), term_sign_extend(store, no, width));
  }
  return TERM_NONE;
}
