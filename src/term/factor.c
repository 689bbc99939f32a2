#include "term/factor.h"

#include <stdlib.h>

// The parts of a disjunction: each a set of operands, those of a conjunction. A choice has its two outcomes as parts.
typedef struct Parts {
  TermVector operands; // part by part, each set sorted
  U32Vector ends;      // per part: where its operands end
} Parts;

typedef struct Factoring {
  TermStore *store;
  Map *cache;
  TermVector stack; // formulas to be done
  TermVector list;  // while a connective is taken apart
  Map listed;
  Parts parts;
} Factoring;

// --- taking apart ---

static bool is_connective(const TermStore *store, Term t) {
  if (term_sort(store, t) != sort_bits(1)) return false;
  TermOperator op = term_operator(store, t);
  if (op == TERM_NOT) return is_connective(store, term_child(store, t, 0));
  return op == TERM_AND || op == TERM_OR || op == TERM_ITE;
}

// The two operands if `t` is this connective, AND or OR, be it as a negation of the other.
static bool split(TermStore *store, TermOperator op, Term t, Term *a, Term *b) {
  bool negated = term_operator(store, t) == TERM_NOT;
  Term inside = negated ? term_child(store, t, 0) : t;
  TermOperator wanted = !negated ? op : op == TERM_AND ? TERM_OR : TERM_AND;
  if (term_operator(store, inside) != wanted || term_sort(store, inside) != sort_bits(1)) return false;
  *a = term_child(store, inside, 0);
  *b = term_child(store, inside, 1);
  if (negated) {
    *a = term_not(store, *a);
    *b = term_not(store, *b);
  }
  return true;
}

// All operands of nested connectives, each once, to `list`.
static void list_operands(Factoring *f, TermOperator op, Term t) {
  TermVector *list = &f->list;
  TermVector_clear(list);
  map_clear(&f->listed);
  TermVector_push(list, t);
  size_t kept = 0;
  for (size_t next = 0; next < list->count; next++) { // what is split makes its operands come later
    Term current = list->data[next], a, b;
    if (map_contains(&f->listed, current)) continue;
    map_put(&f->listed, current, 1);
    if (split(f->store, op, current, &a, &b)) {
      TermVector_push(list, a);
      TermVector_push(list, b);
    } else {
      list->data[kept++] = current;
    }
  }
  list->count = kept;
}

static int compare_terms(const void *a, const void *b) {
  Term x = *(const Term *)a, y = *(const Term *)b;
  return x < y ? -1 : x > y;
}

// Adds the conjunction as a part.
static void add_part(Factoring *f, Term conjunction) {
  Parts *parts = &f->parts;
  list_operands(f, TERM_AND, conjunction);
  for (size_t i = 0; i < f->list.count; i++) TermVector_push(&parts->operands, f->list.data[i]);
  U32Vector_push(&parts->ends, (uint32_t)parts->operands.count);
}

static void take_apart(Factoring *f, Term formula) {
  TermVector_clear(&f->parts.operands);
  U32Vector_clear(&f->parts.ends);
  if (term_operator(f->store, formula) == TERM_ITE) {
    add_part(f, term_child(f->store, formula, 1));
    add_part(f, term_child(f->store, formula, 2));
    return;
  }
  list_operands(f, TERM_OR, formula);
  TermVector disjuncts = f->list;
  TermVector_init(&f->list, disjuncts.account);
  for (size_t i = 0; i < disjuncts.count; i++) add_part(f, disjuncts.data[i]);
  TermVector_free(&disjuncts);
}

// --- putting together ---

static Term fold(TermStore *store, TermOperator op, const Term *terms, size_t count) {
  if (count == 0) return term_bool(store, op == TERM_AND);
  if (count == 1) return terms[0];
  Term a = fold(store, op, terms, count / 2), b = fold(store, op, terms + count / 2, count - count / 2);
  return term_binary(store, op, a, b);
}

// Puts the results in the place of the operands. Those that became conjunctions are more operands than one.
static void use_results(Factoring *f) {
  Parts old = f->parts;
  TermVector_init(&f->parts.operands, old.operands.account);
  U32Vector_init(&f->parts.ends, old.operands.account);
  size_t at = 0;
  for (size_t i = 0; i < old.ends.count; i++) {
    size_t first = f->parts.operands.count;
    for (; at < old.ends.data[i]; at++) {
      list_operands(f, TERM_AND, (Term)map_get_or(f->cache, old.operands.data[at], old.operands.data[at]));
      for (size_t k = 0; k < f->list.count; k++) TermVector_push(&f->parts.operands, f->list.data[k]);
    }
    Term *operands = f->parts.operands.data + first;
    size_t count = f->parts.operands.count - first, kept = 0;
    qsort(operands, count, sizeof *operands, compare_terms);
    for (size_t k = 0; k < count; k++)
      if (k == 0 || operands[k] != operands[k - 1]) operands[kept++] = operands[k];
    f->parts.operands.count = first + kept;
    U32Vector_push(&f->parts.ends, (uint32_t)f->parts.operands.count);
  }
  TermVector_free(&old.operands);
  U32Vector_free(&old.ends);
}

// In how many parts is each operand? To `listed`.
static void count_operands(Factoring *f) {
  map_clear(&f->listed);
  for (size_t i = 0; i < f->parts.operands.count; i++) {
    Term operand = f->parts.operands.data[i];
    map_put(&f->listed, operand, map_get_or(&f->listed, operand, 0) + 1);
  }
}

// The conjunction of the operands of a part that are, or are not, in all parts.
static Term part_of(Factoring *f, size_t part, bool mutual) {
  const Parts *parts = &f->parts;
  TermVector_clear(&f->list);
  for (size_t i = part == 0 ? 0 : parts->ends.data[part - 1]; i < parts->ends.data[part]; i++) {
    Term operand = parts->operands.data[i];
    if ((map_get_or(&f->listed, operand, 0) == parts->ends.count) == mutual) TermVector_push(&f->list, operand);
  }
  return fold(f->store, TERM_AND, f->list.data, f->list.count);
}

static Term put_together(Factoring *f, Term formula) {
  use_results(f);
  count_operands(f);
  Term mutual = part_of(f, 0, true), rest;
  if (term_operator(f->store, formula) == TERM_ITE) {
    Term condition = term_child(f->store, formula, 0);
    condition = (Term)map_get_or(f->cache, condition, condition);
    Term yes = part_of(f, 0, false), no = part_of(f, 1, false);
    rest = term_ite(f->store, condition, yes, no);
  } else {
    TermVector rests;
    TermVector_init(&rests, f->list.account);
    for (size_t i = 0; i < f->parts.ends.count; i++) TermVector_push(&rests, part_of(f, i, false));
    rest = fold(f->store, TERM_OR, rests.data, rests.count);
    TermVector_free(&rests);
  }
  return term_and(f->store, mutual, rest);
}

// --- all subformulas ---

static bool is_done(const Factoring *f, Term t) { return !is_connective(f->store, t) || map_contains(f->cache, t); }

static void push_unless_done(Factoring *f, Term t) {
  if (!is_done(f, t)) TermVector_push(&f->stack, t);
}

// Does the formula on top, or pushes what has to be done before it.
static void factor_top(Factoring *f) {
  Term formula = *TermVector_last(&f->stack);
  size_t top = f->stack.count;
  if (is_done(f, formula)) {
    f->stack.count--;
    return;
  }
  bool negated = term_operator(f->store, formula) == TERM_NOT;
  Term inside = negated ? term_child(f->store, formula, 0) : formula;
  if (negated && term_operator(f->store, inside) == TERM_ITE) { // a choice is done without its negation
    push_unless_done(f, inside);
    if (f->stack.count > top) return;
    map_put(f->cache, formula, term_not(f->store, (Term)map_get_or(f->cache, inside, inside)));
    return;
  }
  take_apart(f, formula);
  if (term_operator(f->store, formula) == TERM_ITE) push_unless_done(f, term_child(f->store, formula, 0));
  for (size_t i = 0; i < f->parts.operands.count; i++) push_unless_done(f, f->parts.operands.data[i]);
  if (f->stack.count > top) return;
  map_put(f->cache, formula, put_together(f, formula));
}

Term term_factor(TermStore *store, Term formula, Map *cache) {
  Factoring f = {.store = store, .cache = cache};
  TermVector_init(&f.stack, cache->account);
  TermVector_init(&f.list, cache->account);
  TermVector_init(&f.parts.operands, cache->account);
  U32Vector_init(&f.parts.ends, cache->account);
  map_init(&f.listed, cache->account);
  TermVector_push(&f.stack, formula);
  while (f.stack.count > 0) factor_top(&f);
  map_free(&f.listed);
  U32Vector_free(&f.parts.ends);
  TermVector_free(&f.parts.operands);
  TermVector_free(&f.list);
  TermVector_free(&f.stack);
  return (Term)map_get_or(cache, formula, formula);
}
