// SELECT and STORE. A chain of stores at constant indices is kept in ascending order, the largest outermost, so that a
// later store to the same index replaces the earlier one.
#include "term/term_internal.h"

enum { MAX_REORDERED = 64 };

// `i` is j + K for a constant K other than 0.
static bool is_offset_from(const TermStore *store, Term i, Term j) {
  return has_constant_right(store, i, TERM_ADD) && child_of(store, i, 0) == j && !is_zero(store, child_of(store, i, 1));
}

static bool are_different(const TermStore *store, Term i, Term j) {
  if (i == j) return false;
  if (is_constant(store, i) && is_constant(store, j)) return true;
  if (has_constant_right(store, i, TERM_ADD) && has_constant_right(store, j, TERM_ADD) &&
      child_of(store, i, 0) == child_of(store, j, 0))
    return true; // the constants differ, else i would be j
  return is_offset_from(store, i, j) || is_offset_from(store, j, i);
}

Term simplify_select(TermStore *store, Term array, Term index) {
  Term start = array;
  while (is_operator(store, array, TERM_STORE)) {
    Term at = child_of(store, array, 1);
    if (at == index) return child_of(store, array, 2);
    if (!are_different(store, at, index)) break;
    array = child_of(store, array, 0);
  }
  if (is_operator(store, array, TERM_CONST_ARRAY)) return child_of(store, array, 0);
  return array == start ? TERM_NONE : term_select(store, array, index);
}

Term simplify_store(TermStore *store, Term array, Term index, Term element) {
  if (is_operator(store, element, TERM_SELECT) && child_of(store, element, 0) == array &&
      child_of(store, element, 1) == index)
    return array;
  if (is_operator(store, array, TERM_CONST_ARRAY) && child_of(store, array, 0) == element) return array;
  if (!is_operator(store, array, TERM_STORE)) return TERM_NONE;
  if (child_of(store, array, 1) == index) return term_store_element(store, child_of(store, array, 0), index, element);
  if (!is_constant(store, index)) return TERM_NONE;
  // Pass below the stores to larger constant indices.
  Bits k = term_constant_value(store, index);
  Term passed[MAX_REORDERED], below = array;
  unsigned count = 0;
  while (count < MAX_REORDERED && is_operator(store, below, TERM_STORE)) {
    Term at = child_of(store, below, 1);
    if (!is_constant(store, at) || term_constant_value(store, at) <= k) break;
    passed[count++] = below;
    below = child_of(store, below, 0);
  }
  if (count == 0) return TERM_NONE;
  Term result = term_store_element(store, below, index, element);
  while (count-- > 0) {
    Term at = child_of(store, passed[count], 1), value = child_of(store, passed[count], 2);
    result = make_node(store, TERM_STORE, term_sort(store, array), result, at, value);
  }
  return result;
}
