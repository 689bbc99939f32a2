// The public constructors: check sorts, fold constants, order operands, simplify, and only then make a node.
#include "term/term_internal.h"

bool operator_commutes(TermOperator op) {
  switch (op) {
  case TERM_AND:
  case TERM_OR:
  case TERM_XOR:
  case TERM_ADD:
  case TERM_MUL:
  case TERM_EQ:
  case TERM_UADDO:
  case TERM_SADDO:
  case TERM_UMULO:
  case TERM_SMULO:
  case TERM_FP_ADD: // a NaN result is canonical, so these commute too
  case TERM_FP_MUL:
  case TERM_FP_EQ: return true;
  default: return false;
  }
}

static bool is_predicate(TermOperator op) {
  return (op >= TERM_EQ && op <= TERM_SLE) || (op >= TERM_NEGO && op <= TERM_SDIVO) ||
         (op >= TERM_FP_EQ && op <= TERM_FP_IS_NAN);
}

static Sort binary_sort(const TermStore *store, TermOperator op, Term a, Term b) {
  if (op == TERM_CONCAT) return sort_bits(width_of(store, a) + width_of(store, b));
  assert(term_sort(store, a) == term_sort(store, b));
  return is_predicate(op) ? sort_bits(1) : term_sort(store, a);
}

static Term fold(TermStore *store, TermOperator op, unsigned width, unsigned count, const Term *children) {
  unsigned widths[3];
  Bits values[3];
  for (unsigned i = 0; i < count; i++) {
    widths[i] = width_of(store, children[i]);
    values[i] = term_constant_value(store, children[i]);
  }
  return term_constant(store, width, term_apply(op, width, widths, 0, 0, values));
}

// Whether simplification may go (further) down; if so, the caller lowers `nesting` when it is done.
static bool begin_simplifying(TermStore *store) {
  if (store->nesting == 0) store->effort = 0;
  if (store->nesting >= MAX_NESTING || store->effort >= MAX_EFFORT) return false;
  store->nesting++;
  store->effort++;
  return true;
}

// --- an operator over ite(c, K1, K2) with constants becomes an ite of constants ---

// Whether `t` is a choice between two constants; a width-extended boolean is one as well.
static bool is_constant_choice(TermStore *store, Term t, Term *condition, Term *yes, Term *no) {
  TermOperator op = operator_of(store, t);
  if (op == TERM_ITE) {
    *condition = child_of(store, t, 0), *yes = child_of(store, t, 1), *no = child_of(store, t, 2);
    return is_constant(store, *yes) && is_constant(store, *no);
  }
  if ((op == TERM_ZEXT || op == TERM_SEXT) && width_of(store, child_of(store, t, 0)) == 1) {
    unsigned width = width_of(store, t);
    *condition = child_of(store, t, 0);
    *yes = term_constant(store, width, op == TERM_ZEXT ? 1 : bits_mask(width));
    *no = term_constant(store, width, 0);
    return true;
  }
  return false;
}

static Term lift_binary(TermStore *store, TermOperator op, Term a, Term b) {
  if (sort_is_array(term_sort(store, a))) return TERM_NONE;
  Term c, yes, no, other, other_yes, other_no;
  if (is_constant(store, b)) {
    if (!is_constant_choice(store, a, &c, &yes, &no)) return TERM_NONE;
    return term_ite(store, c, term_binary(store, op, yes, b), term_binary(store, op, no, b));
  }
  if (!is_constant_choice(store, b, &c, &yes, &no)) return TERM_NONE;
  if (is_constant(store, a)) return term_ite(store, c, term_binary(store, op, a, yes), term_binary(store, op, a, no));
  if (!is_constant_choice(store, a, &other, &other_yes, &other_no) || other != c) return TERM_NONE;
  return term_ite(store, c, term_binary(store, op, other_yes, yes), term_binary(store, op, other_no, no));
}

// --- unary ---

static Term simplify_unary(TermStore *store, TermOperator op, Term a) {
  Term c, yes, no;
  if (is_operator(store, a, TERM_ITE) && is_constant_choice(store, a, &c, &yes, &no))
    return term_ite(store, c, term_unary(store, op, yes), term_unary(store, op, no));
  switch (op) {
  case TERM_NOT: return simplify_not(store, a);
  case TERM_NEG: return simplify_neg(store, a);
  case TERM_NEGO: return width_of(store, a) == 1 ? a : TERM_NONE; // -1 is the least value of one bit
  default: return TERM_NONE;
  }
}

Term term_unary(TermStore *store, TermOperator op, Term a) {
  assert(op == TERM_NOT || op == TERM_NEG || op == TERM_NEGO || op == TERM_FP_SQRT || op == TERM_FP_IS_NAN);
  Sort sort = is_predicate(op) ? sort_bits(1) : width_of(store, a);
  if (is_constant(store, a)) return fold(store, op, sort, 1, &a);
  Term found = find_node(store, op, sort, a, 0, 0);
  if (found) return found;
  if (begin_simplifying(store)) {
    Term simpler = simplify_unary(store, op, a);
    store->nesting--;
    if (simpler) return simpler;
  }
  return make_node(store, op, sort, a, 0, 0);
}

// --- binary ---

static Term simplify_binary(TermStore *store, TermOperator op, Term a, Term b) {
  Term lifted = lift_binary(store, op, a, b);
  if (lifted) return lifted;
  switch (op) {
  case TERM_AND: return simplify_and(store, a, b);
  case TERM_OR: return simplify_or(store, a, b);
  case TERM_XOR: return simplify_xor(store, a, b);
  case TERM_ADD: return simplify_add(store, a, b);
  case TERM_SUB: return simplify_sub(store, a, b);
  case TERM_MUL: return simplify_mul(store, a, b);
  case TERM_UDIV:
  case TERM_UREM:
  case TERM_SDIV:
  case TERM_SREM:
  case TERM_SMOD: return simplify_division(store, op, a, b);
  case TERM_SHL:
  case TERM_LSHR:
  case TERM_ASHR:
  case TERM_ROTL:
  case TERM_ROTR: return simplify_shift(store, op, a, b);
  case TERM_CONCAT: return simplify_concat(store, a, b);
  case TERM_EQ: return simplify_eq(store, a, b);
  case TERM_ULT:
  case TERM_ULE:
  case TERM_SLT:
  case TERM_SLE: return simplify_comparison(store, op, a, b);
  default: return op >= TERM_UADDO && op <= TERM_SDIVO ? simplify_overflow(store, op, a, b) : TERM_NONE;
  }
}

// Constants go to the right; otherwise the older term goes first.
static bool should_swap(const TermStore *store, Term a, Term b) {
  bool a_constant = is_constant(store, a), b_constant = is_constant(store, b);
  return a_constant != b_constant ? a_constant : a > b;
}

Term term_binary(TermStore *store, TermOperator op, Term a, Term b) {
  if (op == TERM_SELECT) return term_select(store, a, b);
  assert(arity_of_operator(op) == 2);
  Sort sort = binary_sort(store, op, a, b);
  if (is_constant(store, a) && is_constant(store, b)) return fold(store, op, sort, 2, (Term[]){a, b});
  if (operator_commutes(op) && should_swap(store, a, b)) {
    Term t = a;
    a = b;
    b = t;
  }
  Term found = find_node(store, op, sort, a, b, 0);
  if (found) return found;
  if (begin_simplifying(store)) {
    Term simpler = simplify_binary(store, op, a, b);
    store->nesting--;
    if (simpler) {
      assert(term_sort(store, simpler) == sort);
      return simpler;
    }
  }
  return make_node(store, op, sort, a, b, 0);
}

// --- the others ---

Term term_ite(TermStore *store, Term condition, Term then_term, Term else_term) {
  assert(width_of(store, condition) == 1 && term_sort(store, then_term) == term_sort(store, else_term));
  if (term_is_true(store, condition)) return then_term;
  if (term_is_false(store, condition)) return else_term;
  if (then_term == else_term) return then_term;
  Sort sort = term_sort(store, then_term);
  Term found = find_node(store, TERM_ITE, sort, condition, then_term, else_term);
  if (found) return found;
  if (begin_simplifying(store)) {
    Term simpler = simplify_ite(store, condition, then_term, else_term);
    store->nesting--;
    if (simpler) {
      assert(term_sort(store, simpler) == sort);
      return simpler;
    }
  }
  return make_node(store, TERM_ITE, sort, condition, then_term, else_term);
}

Term term_extract(TermStore *store, Term a, unsigned high, unsigned low) {
  unsigned width = width_of(store, a);
  assert(low <= high && high < width);
  if (low == 0 && high == width - 1) return a;
  Sort sort = sort_bits(high - low + 1);
  if (is_constant(store, a)) return term_constant(store, sort, term_constant_value(store, a) >> low);
  Term found = find_node(store, TERM_EXTRACT, sort, a, high, low);
  if (found) return found;
  if (begin_simplifying(store)) {
    Term simpler = simplify_extract(store, a, high, low);
    store->nesting--;
    if (simpler) {
      assert(term_sort(store, simpler) == sort);
      return simpler;
    }
  }
  return make_node(store, TERM_EXTRACT, sort, a, high, low);
}

static Term extend(TermStore *store, TermOperator op, Term a, unsigned width) {
  unsigned old_width = width_of(store, a);
  assert(width >= old_width && width <= 128);
  if (width == old_width) return a;
  if (is_constant(store, a)) return fold(store, op, width, 1, &a);
  Term found = find_node(store, op, sort_bits(width), a, 0, 0);
  if (found) return found;
  if (begin_simplifying(store)) {
    Term simpler = simplify_extension(store, op, a, width);
    store->nesting--;
    if (simpler) return simpler;
  }
  return make_node(store, op, sort_bits(width), a, 0, 0);
}

Term term_zero_extend(TermStore *store, Term a, unsigned width) { return extend(store, TERM_ZEXT, a, width); }

Term term_sign_extend(TermStore *store, Term a, unsigned width) { return extend(store, TERM_SEXT, a, width); }

Term term_resize_unsigned(TermStore *store, Term a, unsigned width) {
  return width < width_of(store, a) ? term_extract(store, a, width - 1, 0) : term_zero_extend(store, a, width);
}

Term term_resize_signed(TermStore *store, Term a, unsigned width) {
  return width < width_of(store, a) ? term_extract(store, a, width - 1, 0) : term_sign_extend(store, a, width);
}

Term term_convert(TermStore *store, TermOperator op, Term a, unsigned width) {
  assert(op >= TERM_FP_TO_FP && op <= TERM_FP_FROM_UINT);
  if (is_constant(store, a)) return fold(store, op, width, 1, &a);
  return make_node(store, op, sort_bits(width), a, 0, 0);
}

Term term_select(TermStore *store, Term array, Term index) {
  Sort sort = term_sort(store, array);
  assert(sort_is_array(sort) && sort_index_width(sort) == width_of(store, index));
  Term simpler = simplify_select(store, array, index);
  return simpler ? simpler : make_node(store, TERM_SELECT, sort_bits(sort_element_width(sort)), array, index, 0);
}

Term term_store_element(TermStore *store, Term array, Term index, Term element) {
  Sort sort = term_sort(store, array);
  assert(sort_is_array(sort) && sort_index_width(sort) == width_of(store, index));
  assert(sort_element_width(sort) == width_of(store, element));
  Term simpler = simplify_store(store, array, index, element);
  return simpler ? simpler : make_node(store, TERM_STORE, sort, array, index, element);
}

Term term_constant_array(TermStore *store, Sort sort, Term element) {
  assert(sort_is_array(sort) && sort_element_width(sort) == width_of(store, element));
  return make_node(store, TERM_CONST_ARRAY, sort, element, 0, 0);
}

Term term_rebuild(TermStore *store, Term like, const Term *children) {
  TermNode node = *node_of(store, like); // a copy: constructors move the nodes
  TermOperator op = (TermOperator)node.op;
  switch (op) {
  case TERM_CONSTANT:
  case TERM_VARIABLE: return like;
  case TERM_EXTRACT: return term_extract(store, children[0], node.words[1], node.words[2]);
  case TERM_ZEXT:
  case TERM_SEXT: return extend(store, op, children[0], node.sort);
  case TERM_ITE: return term_ite(store, children[0], children[1], children[2]);
  case TERM_STORE: return term_store_element(store, children[0], children[1], children[2]);
  case TERM_CONST_ARRAY: return term_constant_array(store, node.sort, children[0]);
  default: break;
  }
  if (op >= TERM_FP_TO_FP) return term_convert(store, op, children[0], node.sort);
  if (arity_of_operator(op) == 1) return term_unary(store, op, children[0]);
  return term_binary(store, op, children[0], children[1]);
}

// --- short forms ---

Term term_not(TermStore *store, Term a) { return term_unary(store, TERM_NOT, a); }
Term term_and(TermStore *store, Term a, Term b) { return term_binary(store, TERM_AND, a, b); }
Term term_or(TermStore *store, Term a, Term b) { return term_binary(store, TERM_OR, a, b); }
Term term_implies(TermStore *store, Term a, Term b) { return term_or(store, term_not(store, a), b); }
Term term_eq(TermStore *store, Term a, Term b) { return term_binary(store, TERM_EQ, a, b); }
Term term_ne(TermStore *store, Term a, Term b) { return term_not(store, term_eq(store, a, b)); }
Term term_add(TermStore *store, Term a, Term b) { return term_binary(store, TERM_ADD, a, b); }
Term term_sub(TermStore *store, Term a, Term b) { return term_binary(store, TERM_SUB, a, b); }

Term term_add_constant(TermStore *store, Term a, Bits value) {
  return term_add(store, a, term_constant(store, width_of(store, a), value));
}

Term term_is_nonzero(TermStore *store, Term a) {
  return term_ne(store, a, term_constant(store, width_of(store, a), 0));
}
