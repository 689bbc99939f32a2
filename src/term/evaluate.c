// Evaluation: bottom-up with an explicit stack, each subterm once. Only the chosen branch of an ite is evaluated, and
// of an array only the path from a select to the store that answers it.
#include "term/term_internal.h"

typedef struct Frame {
  Term term;
  Term cursor; // SELECT: the array still to be searched
} Frame;
VECTOR(FrameVector, Frame);

typedef struct Evaluation {
  const TermStore *store;
  const TermValuation *valuation;
  Memo memo; // from term to index of `values`
  BitsVector values;
  FrameVector stack;
} Evaluation;

// Looks up a value; when it is missing, has it evaluated first.
static bool demand(Evaluation *e, Term t, Bits *value) {
  if (is_constant(e->store, t)) {
    *value = term_constant_value(e->store, t);
    return true;
  }
  uint32_t index;
  if (memo_get(&e->memo, t, &index)) {
    *value = e->values.data[index];
    return true;
  }
  FrameVector_push(&e->stack, (Frame){.term = t, .cursor = TERM_NONE});
  return false;
}

static Bits read_variable(const Evaluation *e, Term array, Bits index) {
  if (!e->valuation->element_of) return 0;
  Bits element = e->valuation->element_of(e->valuation->context, array, index);
  return element & bits_mask(sort_element_width(term_sort(e->store, array)));
}

// Goes on with the search for the element at `index`, from the array at *cursor. False if it has to wait for a value.
static bool search_array(Evaluation *e, Term *cursor, Bits index, Bits *element) {
  const TermStore *store = e->store;
  for (;;) {
    Term array = *cursor;
    Bits value;
    switch (operator_of(store, array)) {
    case TERM_VARIABLE: *element = read_variable(e, array, index); return true;
    case TERM_CONST_ARRAY: return demand(e, child_of(store, array, 0), element);
    case TERM_STORE:
      if (!demand(e, child_of(store, array, 1), &value)) return false;
      if (value == index) return demand(e, child_of(store, array, 2), element);
      *cursor = child_of(store, array, 0);
      break;
    default:
      assert(is_operator(store, array, TERM_ITE));
      if (!demand(e, child_of(store, array, 0), &value)) return false;
      *cursor = child_of(store, array, value ? 1 : 2);
    }
  }
}

static bool evaluate_select(Evaluation *e, size_t frame, Bits *result) {
  Term t = e->stack.data[frame].term, cursor = e->stack.data[frame].cursor;
  if (!cursor) cursor = child_of(e->store, t, 0);
  Bits index;
  if (!demand(e, child_of(e->store, t, 1), &index)) return false;
  bool done = search_array(e, &cursor, index, result);
  e->stack.data[frame].cursor = cursor;
  return done;
}

// --- equality of arrays ---

// Evaluates everything that the array's value depends on, and lists the indices stored to on its chosen path.
static bool list_indices(Evaluation *e, Term array, BitsVector *indices, Term *base) {
  const TermStore *store = e->store;
  size_t pending = e->stack.count;
  Bits value, element;
  for (;;) {
    switch (operator_of(store, array)) {
    case TERM_VARIABLE: *base = array; return e->stack.count == pending;
    case TERM_CONST_ARRAY:
      *base = array;
      demand(e, child_of(store, array, 0), &value);
      return e->stack.count == pending;
    case TERM_STORE:
      if (demand(e, child_of(store, array, 1), &value)) BitsVector_push(indices, value);
      demand(e, child_of(store, array, 2), &element);
      array = child_of(store, array, 0);
      break;
    default:
      assert(is_operator(store, array, TERM_ITE));
      if (!demand(e, child_of(store, array, 0), &value)) return false;
      array = child_of(store, array, value ? 1 : 2);
    }
  }
}

static bool same_element(Evaluation *e, Term a, Term b, Bits index) {
  Bits left = 0, right = 0;
  bool known = search_array(e, &a, index, &left);
  known = search_array(e, &b, index, &right) && known;
  assert(known && "all parts were evaluated before");
  (void)known;
  return left == right;
}

// Whether all elements of an array without stores are the same.
static bool is_uniform(const Evaluation *e, Term base) {
  return is_operator(e->store, base, TERM_CONST_ARRAY) || !e->valuation->element_of;
}

// Compares the arrays at the indices stored to and, unless they grow from the same base, at others: of uniform bases
// one index that no store touches is enough, and there is one among the first count + 1. Where variables are read
// through a callback, the first 2^16 indices are looked at; narrower index sorts are thus compared completely.
static bool compare_arrays(Evaluation *e, Term a, Term b, const BitsVector *indices, Term a_base, Term b_base) {
  enum { ENUMERATED_WIDTH = 16 };
  for (size_t i = 0; i < indices->count; i++)
    if (!same_element(e, a, b, indices->data[i])) return false;
  if (a_base == b_base) return true;
  unsigned width = sort_index_width(term_sort(e->store, a));
  Bits last = bits_mask(width < ENUMERATED_WIDTH ? width : ENUMERATED_WIDTH);
  if (is_uniform(e, a_base) && is_uniform(e, b_base))
    last = indices->count < bits_mask(width) ? indices->count : bits_mask(width);
  for (Bits index = 0; index <= last; index++)
    if (!same_element(e, a, b, index)) return false;
  return true;
}

static bool evaluate_array_equality(Evaluation *e, Term t, Bits *result) {
  Term a = child_of(e->store, t, 0), b = child_of(e->store, t, 1), a_base, b_base;
  BitsVector indices;
  BitsVector_init(&indices, e->store->account);
  bool ready = list_indices(e, a, &indices, &a_base);
  ready = list_indices(e, b, &indices, &b_base) && ready;
  if (ready) *result = compare_arrays(e, a, b, &indices, a_base, b_base);
  BitsVector_free(&indices);
  return ready;
}

// --- the rest ---

static bool evaluate_operator(Evaluation *e, Term t, Bits *result) {
  const TermNode *node = node_of(e->store, t);
  unsigned arity = arity_of_operator((TermOperator)node->op), widths[3];
  Bits values[3];
  bool ready = true;
  for (unsigned i = 0; i < arity; i++) {
    ready = demand(e, node->words[i], &values[i]) && ready;
    widths[i] = width_of(e->store, node->words[i]);
  }
  if (!ready) return false;
  *result = term_apply((TermOperator)node->op, node->sort, widths, node->words[1], node->words[2], values);
  return true;
}

static bool evaluate_top(Evaluation *e, Bits *result) {
  size_t frame = e->stack.count - 1;
  Term t = e->stack.data[frame].term;
  Bits value;
  switch (operator_of(e->store, t)) {
  case TERM_CONSTANT: *result = term_constant_value(e->store, t); return true;
  case TERM_VARIABLE:
    *result = e->valuation->value_of(e->valuation->context, t) & bits_mask(width_of(e->store, t));
    return true;
  case TERM_ITE:
    if (!demand(e, child_of(e->store, t, 0), &value)) return false;
    return demand(e, child_of(e->store, t, value ? 1 : 2), result);
  case TERM_SELECT: return evaluate_select(e, frame, result);
  case TERM_EQ:
    if (sort_is_array(term_sort(e->store, child_of(e->store, t, 0)))) return evaluate_array_equality(e, t, result);
    return evaluate_operator(e, t, result);
  default: return evaluate_operator(e, t, result);
  }
}

Bits term_evaluate(const TermStore *store, Term t, const TermValuation *valuation) {
  assert(!sort_is_array(term_sort(store, t)));
  if (is_constant(store, t)) return term_constant_value(store, t);
  Evaluation e = {.store = store, .valuation = valuation};
  memo_begin(&e.memo, store);
  BitsVector_init(&e.values, store->account);
  FrameVector_init(&e.stack, store->account);
  FrameVector_push(&e.stack, (Frame){.term = t, .cursor = TERM_NONE});
  Bits result = 0;
  while (e.stack.count) {
    size_t top = e.stack.count - 1;
    Term current = e.stack.data[top].term;
    // A term can be on the stack twice when two parents asked for it before it was evaluated.
    if (memo_has(&e.memo, current)) {
      e.stack.count = top;
      continue;
    }
    if (!evaluate_top(&e, &result)) continue;
    assert(e.stack.count == top + 1);
    e.stack.count = top;
    memo_put(&e.memo, current, (uint32_t)e.values.count);
    BitsVector_push(&e.values, result);
  }
  FrameVector_free(&e.stack);
  BitsVector_free(&e.values);
  memo_end(&e.memo);
  return result;
}
