#include "program/facts/ranges.h"

static uint64_t largest(unsigned width) { return UINT64_MAX >> (64 - width); }

RangeSet ranges_all(unsigned width) {
  assert(width >= 1 && width <= 64);
  return (RangeSet){.width = width, .count = 1, .ranges = {{0, largest(width)}}};
}

static RangeSet one_range(unsigned width, uint64_t low, uint64_t high) {
  assert(width >= 1 && width <= 64 && high <= largest(width));
  return (RangeSet){.width = width, .count = low <= high, .ranges = {{low, high}}};
}

// Appends a range that starts at or after the last one; merges what touches. When there is no room, the last one is
// stretched, which only adds values.
static void append(RangeSet *set, Range range) {
  assert(range.low <= range.high && range.high <= largest(set->width));
  Range *last = set->count ? &set->ranges[set->count - 1] : NULL;
  assert(!last || range.low >= last->low);
  if (last && (range.low <= last->high || range.low - last->high == 1 || set->count == MOST_RANGES)) {
    if (range.high > last->high) last->high = range.high;
    return;
  }
  set->ranges[set->count++] = range;
}

RangeSet ranges_union(const RangeSet *a, const RangeSet *b) {
  assert(a->width == b->width);
  RangeSet result = {.width = a->width};
  size_t i = 0, j = 0;
  while (i < a->count || j < b->count) {
    bool first = j == b->count || (i < a->count && a->ranges[i].low <= b->ranges[j].low);
    append(&result, first ? a->ranges[i++] : b->ranges[j++]);
  }
  return result;
}

RangeSet ranges_intersect(const RangeSet *a, const RangeSet *b) {
  assert(a->width == b->width);
  RangeSet result = {.width = a->width};
  for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
    Range x = a->ranges[i], y = b->ranges[j];
    uint64_t low = x.low > y.low ? x.low : y.low, high = x.high < y.high ? x.high : y.high;
    if (low <= high) append(&result, (Range){low, high});
    if (x.high < y.high)
      i++;
    else
      j++;
  }
  return result;
}

RangeSet ranges_complement(const RangeSet *a) {
  RangeSet result = {.width = a->width};
  uint64_t next = 0, end = largest(a->width);
  for (size_t i = 0; i < a->count; i++) {
    if (a->ranges[i].low > next) append(&result, (Range){next, a->ranges[i].low - 1});
    if (a->ranges[i].high == end) return result;
    next = a->ranges[i].high + 1;
  }
  append(&result, (Range){next, end});
  return result;
}

RangeSet ranges_shift(const RangeSet *a, uint64_t by) {
  RangeSet result = {.width = a->width};
  uint64_t end = largest(a->width);
  for (size_t i = 0; i < a->count; i++) {
    uint64_t low = (a->ranges[i].low + by) & end, high = (a->ranges[i].high + by) & end;
    RangeSet part = one_range(a->width, low, high);
    if (low > high) {
      RangeSet bottom = one_range(a->width, 0, high), top = one_range(a->width, low, end);
      part = ranges_union(&bottom, &top);
    }
    result = ranges_union(&result, &part);
  }
  return result;
}

uint64_t ranges_size(const RangeSet *set) {
  uint64_t size = 0;
  for (size_t i = 0; i < set->count; i++) {
    uint64_t part = set->ranges[i].high - set->ranges[i].low; // one less than its size
    if (part == UINT64_MAX || size > UINT64_MAX - part - 1) return UINT64_MAX;
    size += part + 1;
  }
  return size;
}

// --- conditions ---

// `t` is variable + offset (mod 2^width)?
static bool is_shifted(const TermStore *terms, Term t, Term variable, uint64_t *offset) {
  *offset = 0;
  if (t == variable) return true;
  if (term_operator(terms, t) != TERM_ADD || term_child(terms, t, 0) != variable) return false;
  Term constant = term_child(terms, t, 1);
  if (!term_is_constant(terms, constant)) return false;
  *offset = (uint64_t)term_constant_value(terms, constant);
  return true;
}

// The values x with x OP bound (or bound OP x, if `right`), as a set of x.
static RangeSet comparison(TermOperator op, unsigned width, uint64_t bound, bool right) {
  uint64_t end = largest(width), half = end / 2 + 1;
  bool is_signed = op == TERM_SLT || op == TERM_SLE, strict = op == TERM_ULT || op == TERM_SLT;
  // Signed order is unsigned order after adding 2^(width-1).
  uint64_t moved = is_signed ? (bound + half) & end : bound;
  RangeSet set = {.width = width};
  if (!right && !(strict && moved == 0)) set = one_range(width, 0, strict ? moved - 1 : moved);
  if (right && !(strict && moved == end)) set = one_range(width, strict ? moved + 1 : moved, end);
  return is_signed ? ranges_shift(&set, half) : set;
}

static RangeSet of_atom(const TermStore *terms, Term condition, Term variable) {
  TermOperator op = term_operator(terms, condition);
  unsigned width = term_width(terms, variable);
  Term a = term_child(terms, condition, 0), b = term_child(terms, condition, 1);
  bool right = term_is_constant(terms, a);
  Term constant = right ? a : b, other = right ? b : a;
  uint64_t offset;
  if (!term_is_constant(terms, constant) || !is_shifted(terms, other, variable, &offset)) return ranges_all(width);
  uint64_t bound = (uint64_t)term_constant_value(terms, constant);
  RangeSet set = op == TERM_EQ ? one_range(width, bound, bound) : comparison(op, width, bound, right);
  return ranges_shift(&set, (0 - offset) & largest(width));
}

static bool is_atom(const TermStore *terms, Term condition, Term variable) {
  TermOperator op = term_operator(terms, condition);
  if (op != TERM_EQ && op != TERM_ULT && op != TERM_ULE && op != TERM_SLT && op != TERM_SLE) return false;
  Term a = term_child(terms, condition, 0), b = term_child(terms, condition, 1);
  uint64_t offset;
  bool left = term_is_constant(terms, a) && is_shifted(terms, b, variable, &offset);
  return left || (term_is_constant(terms, b) && is_shifted(terms, a, variable, &offset));
}

// On one bit, `x ^ 1` and `x == 0` are negations.
static bool is_negation(const TermStore *terms, Term condition, Term *inner) {
  TermOperator op = term_operator(terms, condition);
  if (op == TERM_NOT) {
    *inner = term_child(terms, condition, 0);
    return true;
  }
  if (op != TERM_XOR && op != TERM_EQ) return false;
  Term a = term_child(terms, condition, 0), b = term_child(terms, condition, 1);
  if (term_width(terms, a) != 1 || !term_is_constant(terms, b)) return false;
  *inner = a;
  return op == TERM_XOR ? term_is_true(terms, b) : term_is_false(terms, b);
}

RangeSet ranges_of_condition(const TermStore *terms, Term condition, Term variable, bool wanted) {
  unsigned width = term_width(terms, variable);
  RangeSet nothing = {.width = width};
  if (term_is_constant(terms, condition)) return term_is_true(terms, condition) == wanted ? ranges_all(width) : nothing;
  Term inner;
  if (is_negation(terms, condition, &inner)) return ranges_of_condition(terms, inner, variable, !wanted);
  if (is_atom(terms, condition, variable)) {
    RangeSet set = of_atom(terms, condition, variable);
    return wanted ? set : ranges_complement(&set);
  }
  TermOperator op = term_operator(terms, condition);
  if (op != TERM_AND && op != TERM_OR) return ranges_all(width);
  RangeSet a = ranges_of_condition(terms, term_child(terms, condition, 0), variable, wanted);
  RangeSet b = ranges_of_condition(terms, term_child(terms, condition, 1), variable, wanted);
  return (op == TERM_AND) == wanted ? ranges_intersect(&a, &b) : ranges_union(&a, &b);
}
