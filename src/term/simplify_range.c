// Conjunctions and disjunctions of two comparisons that speak about the same thing: of the same two terms (x < y and
// x == y), or of one term with two constants (x < 5 and x != 4).
#include "term/term_internal.h"

// --- the same two terms: a comparison is a set of outcomes ---

enum { LESS = 1, EQUAL = 2, GREATER = 4, ALL = 7 };

typedef enum Order { ANY_ORDER, UNSIGNED_ORDER, SIGNED_ORDER } Order;

typedef struct Relation {
  Term left, right;
  unsigned outcomes;
  Order order;
} Relation;

static bool read_relation(const TermStore *store, Term t, Relation *r) {
  unsigned outcomes;
  Order order = ANY_ORDER;
  TermOperator op = operator_of(store, t);
  if (op == TERM_NOT) {
    t = child_of(store, t, 0);
    if (!is_operator(store, t, TERM_EQ)) return false;
    outcomes = LESS | GREATER;
  } else if (op == TERM_EQ) {
    outcomes = EQUAL;
  } else if (op == TERM_ULT || op == TERM_SLT || op == TERM_ULE || op == TERM_SLE) {
    outcomes = op == TERM_ULT || op == TERM_SLT ? LESS : LESS | EQUAL;
    order = op == TERM_ULT || op == TERM_ULE ? UNSIGNED_ORDER : SIGNED_ORDER;
  } else {
    return false;
  }
  *r = (Relation){child_of(store, t, 0), child_of(store, t, 1), outcomes, order};
  return !sort_is_array(term_sort(store, r->left));
}

// The order in which both can be read; false if one is signed and the other unsigned.
static bool common_order(Order a, Order b, Order *common) {
  if (a != ANY_ORDER && b != ANY_ORDER && a != b) return false;
  *common = a != ANY_ORDER ? a : b;
  return true;
}

static unsigned mirrored(unsigned outcomes) {
  return (outcomes & EQUAL) | (outcomes & LESS ? GREATER : 0) | (outcomes & GREATER ? LESS : 0);
}

static Term relation_term(TermStore *store, Order order, unsigned outcomes, Term x, Term y) {
  TermOperator less = order == SIGNED_ORDER ? TERM_SLT : TERM_ULT,
               at_most = order == SIGNED_ORDER ? TERM_SLE : TERM_ULE;
  switch (outcomes) {
  case 0: return term_false(store);
  case LESS: return term_binary(store, less, x, y);
  case EQUAL: return term_eq(store, x, y);
  case GREATER: return term_binary(store, less, y, x);
  case LESS | EQUAL: return term_binary(store, at_most, x, y);
  case GREATER | EQUAL: return term_binary(store, at_most, y, x);
  case LESS | GREATER: return term_ne(store, x, y);
  default: return term_true(store);
  }
}

static Term merge_relations(TermStore *store, TermOperator op, const Relation *a, const Relation *b) {
  unsigned second = b->outcomes;
  Order order;
  if (a->left == b->right && a->right == b->left)
    second = mirrored(second);
  else if (a->left != b->left || a->right != b->right)
    return TERM_NONE;
  if (!common_order(a->order, b->order, &order)) return TERM_NONE;
  unsigned outcomes = op == TERM_AND ? a->outcomes & second : a->outcomes | second;
  return relation_term(store, order, outcomes, a->left, a->right);
}

// --- one term and two constants: a comparison is an interval, or everything but a point ---

typedef struct Range {
  Bits low, high; // in the unsigned order, or with the sign bit flipped
  bool outside;   // everything but low, which is high
} Range;

static bool read_range(const TermStore *store, const Relation *r, Order order, Term *subject, Range *range) {
  unsigned width = width_of(store, r->left), outcomes = r->outcomes;
  Term constant = r->right;
  *subject = r->left;
  if (is_constant(store, r->left)) {
    *subject = r->right;
    constant = r->left;
    outcomes = mirrored(outcomes);
  }
  if (!is_constant(store, constant)) return false;
  Bits last = bits_mask(width), k = term_constant_value(store, constant);
  if (order == SIGNED_ORDER) k ^= sign_bit(width);
  if ((outcomes == LESS && k == 0) || (outcomes == GREATER && k == last)) return false; // nothing: no interval
  switch (outcomes) {
  case LESS: *range = (Range){0, k - 1, false}; break;
  case LESS | EQUAL: *range = (Range){0, k, false}; break;
  case GREATER: *range = (Range){k + 1, last, false}; break;
  case GREATER | EQUAL: *range = (Range){k, last, false}; break;
  case EQUAL: *range = (Range){k, k, false}; break;
  default: *range = (Range){k, k, true};
  }
  if (range->outside && k == 0) *range = (Range){1, last, false};
  if (range->outside && k == last) *range = (Range){0, last - 1, false};
  return true;
}

static bool inside(Bits point, Range r) { return r.low <= point && point <= r.high; }

static bool is_subset(Range a, Range b) {
  if (!a.outside && !b.outside) return b.low <= a.low && a.high <= b.high;
  return a.outside ? b.outside && a.low == b.low : !inside(b.low, a);
}

static bool are_disjoint(Range a, Range b) {
  if (!a.outside && !b.outside) return a.high < b.low || b.high < a.low;
  if (a.outside && b.outside) return false;
  Range interval = a.outside ? b : a, hole = a.outside ? a : b;
  return interval.low == interval.high && interval.low == hole.low;
}

static bool cover_all(Range a, Range b, Bits last) {
  if (a.outside && b.outside) return a.low != b.low;
  if (a.outside) return inside(a.low, b);
  if (b.outside) return inside(b.low, a);
  if (a.low == 0 && b.high == last) return a.high == last || b.low <= a.high + 1;
  return b.low == 0 && a.high == last && (b.high == last || a.low <= b.high + 1);
}

typedef struct Comparison {
  TermStore *store;
  Term subject;
  Order order;
} Comparison;

static Term compare_with(Comparison c, unsigned outcomes, Bits point) {
  unsigned width = width_of(c.store, c.subject);
  if (c.order == SIGNED_ORDER) point ^= sign_bit(width);
  return relation_term(c.store, c.order, outcomes, c.subject, term_constant(c.store, width, point));
}

// An intersection that one comparison can express, though neither range contains the other.
static Term intersection(Comparison c, Range a, Range b, Bits last) {
  if (a.outside && b.outside) return TERM_NONE;
  if (a.outside || b.outside) {
    Range interval = a.outside ? b : a;
    Bits hole = a.outside ? a.low : b.low;
    if (interval.low == 0 && hole == interval.high) return compare_with(c, LESS, hole);
    if (interval.high == last && hole == interval.low) return compare_with(c, GREATER, hole);
    return TERM_NONE;
  }
  Bits low = a.low > b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;
  return low == high ? compare_with(c, EQUAL, low) : TERM_NONE;
}

// The same for a union; ranges with a hole contain or cover whatever they are joined with, so both are intervals.
static Term union_of(Comparison c, Range a, Range b, Bits last) {
  if (a.outside || b.outside) return TERM_NONE;
  Range first = a.low <= b.low ? a : b, second = a.low <= b.low ? b : a;
  if (first.low == 0 && second.high == last && second.low == first.high + 2)
    return compare_with(c, LESS | GREATER, first.high + 1);
  if (second.low > first.high + 1) return TERM_NONE;
  Bits high = first.high > second.high ? first.high : second.high;
  if (first.low == 0) return compare_with(c, LESS | EQUAL, high);
  return high == last ? compare_with(c, GREATER | EQUAL, first.low) : TERM_NONE;
}

Term simplify_ranges(TermStore *store, TermOperator op, Term a, Term b) {
  Relation first, second;
  if (!read_relation(store, a, &first) || !read_relation(store, b, &second)) return TERM_NONE;
  Term merged = merge_relations(store, op, &first, &second);
  if (merged) return merged;
  Order order;
  Term x, y;
  Range p, q;
  if (!common_order(first.order, second.order, &order)) return TERM_NONE;
  if (!read_range(store, &first, order, &x, &p) || !read_range(store, &second, order, &y, &q) || x != y)
    return TERM_NONE;
  Bits last = bits_mask(width_of(store, x));
  Comparison c = {store, x, order};
  if (op == TERM_AND) {
    if (are_disjoint(p, q)) return term_false(store);
    if (is_subset(p, q)) return a;
    return is_subset(q, p) ? b : intersection(c, p, q, last);
  }
  if (cover_all(p, q, last)) return term_true(store);
  if (is_subset(p, q)) return b;
  return is_subset(q, p) ? a : union_of(c, p, q, last);
}
