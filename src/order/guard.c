#include "order/guard.h"

static GuardId add_guard(GuardTable *table, const Term *literals, uint32_t count, Term term) {
  Guard guard = {.first = (uint32_t)table->literals.count, .count = count, .term = term};
  for (uint32_t i = 0; i < count; i++) TermVector_push(&table->literals, literals[i]);
  GuardVector_push(&table->guards, guard);
  U32Vector_push(&table->older, UINT32_MAX);
  return (GuardId)table->guards.count - 1;
}

void guard_table_init(GuardTable *table, TermStore *terms, Account *account) {
  *table = (GuardTable){.terms = terms};
  GuardVector_init(&table->guards, account);
  TermVector_init(&table->literals, account);
  U32Vector_init(&table->older, account);
  TermVector_init(&table->scratch, account);
  map_init(&table->known, account);
  map_init(&table->merged, account);
  Term no = term_false(terms);
  add_guard(table, NULL, 0, term_true(terms));
  add_guard(table, &no, 1, no);
}

void guard_table_free(GuardTable *table) {
  GuardVector_free(&table->guards);
  TermVector_free(&table->literals);
  U32Vector_free(&table->older);
  TermVector_free(&table->scratch);
  map_free(&table->known);
  map_free(&table->merged);
}

static const Term *literals_of(const GuardTable *table, GuardId guard) {
  return table->literals.data + table->guards.data[guard].first;
}

static uint32_t count_of(const GuardTable *table, GuardId guard) { return table->guards.data[guard].count; }

static bool has_literal(const GuardTable *table, GuardId guard, Term literal) {
  const Term *list = literals_of(table, guard);
  uint32_t low = 0, high = count_of(table, guard);
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (list[middle] < literal)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count_of(table, guard) && list[low] == literal;
}

// The guard with the sorted set of literals in `scratch`; `term` is their conjunction, or TERM_NONE: to be built.
static GuardId intern_guard(GuardTable *table, Term term) {
  const Term *set = table->scratch.data;
  uint32_t count = (uint32_t)table->scratch.count;
  if (count == 0) return GUARD_TRUE;
  uint64_t hash = hash_bytes(set, count * sizeof *set);
  uint64_t first = map_get_or(&table->known, hash, UINT32_MAX);
  for (uint32_t g = (uint32_t)first; g != UINT32_MAX; g = table->older.data[g])
    if (count_of(table, g) == count && memcmp(literals_of(table, g), set, count * sizeof *set) == 0) return g;
  if (term == TERM_NONE) {
    term = set[0];
    for (uint32_t i = 1; i < count; i++) term = term_and(table->terms, term, set[i]);
  }
  if (term_is_false(table->terms, term)) return GUARD_FALSE;
  GuardId guard = add_guard(table, set, count, term);
  table->older.data[guard] = (uint32_t)first;
  map_put(&table->known, hash, guard);
  return guard;
}

// Puts a literal into the sorted `scratch`.
static void insert_literal(GuardTable *table, Term literal) {
  TermVector *set = &table->scratch;
  TermVector_push(set, literal);
  size_t i = set->count - 1;
  while (i > 0 && set->data[i - 1] > literal) {
    set->data[i] = set->data[i - 1];
    i--;
  }
  set->data[i] = literal;
}

static GuardId and_literal(GuardTable *table, GuardId guard, Term literal) {
  if (term_is_true(table->terms, literal) || has_literal(table, guard, literal)) return guard;
  if (term_is_false(table->terms, literal)) return GUARD_FALSE;
  if (has_literal(table, guard, term_not(table->terms, literal))) return GUARD_FALSE;
  TermVector_clear(&table->scratch);
  for (uint32_t i = 0; i < count_of(table, guard); i++) TermVector_push(&table->scratch, literals_of(table, guard)[i]);
  insert_literal(table, literal);
  return intern_guard(table, term_and(table->terms, guard_term(table, guard), literal));
}

GuardId guard_and(GuardTable *table, GuardId guard, Term condition) {
  if (guard == GUARD_FALSE) return GUARD_FALSE;
  if (term_operator(table->terms, condition) == TERM_AND) {
    guard = guard_and(table, guard, term_child(table->terms, condition, 0));
    return guard_and(table, guard, term_child(table->terms, condition, 1));
  }
  return and_literal(table, guard, condition);
}

GuardId guard_both(GuardTable *table, GuardId a, GuardId b) {
  if (a == GUARD_FALSE || b == GUARD_FALSE) return GUARD_FALSE;
  if (count_of(table, a) < count_of(table, b)) {
    GuardId swap = a;
    a = b;
    b = swap;
  }
  for (uint32_t i = 0; i < count_of(table, b); i++) a = and_literal(table, a, literals_of(table, b)[i]);
  return a;
}

bool guard_implies(const GuardTable *table, GuardId strong, GuardId weak) {
  if (strong == weak || weak == GUARD_TRUE || strong == GUARD_FALSE) return true;
  uint32_t count = count_of(table, weak);
  if (count > count_of(table, strong)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!has_literal(table, strong, literals_of(table, weak)[i])) return false;
  return true;
}

bool guard_implied_by_two(const GuardTable *table, GuardId a, GuardId b, GuardId weak) {
  for (uint32_t i = 0; i < count_of(table, weak); i++) {
    Term literal = literals_of(table, weak)[i];
    if (!has_literal(table, a, literal) && !has_literal(table, b, literal)) return false;
  }
  return true;
}

bool guard_excludes(GuardTable *table, GuardId a, GuardId b) {
  if (a == GUARD_FALSE || b == GUARD_FALSE) return true;
  if (count_of(table, a) > count_of(table, b)) {
    GuardId swap = a;
    a = b;
    b = swap;
  }
  for (uint32_t i = 0; i < count_of(table, a); i++) {
    Term literal = literals_of(table, a)[i];
    if (has_literal(table, b, literal)) continue;
    if (has_literal(table, b, term_not(table->terms, literal))) return true;
  }
  return false;
}

// The conjunction of the literals of `a` that are not in `b`.
static Term rest_of(GuardTable *table, GuardId a, GuardId b) {
  Term rest = term_true(table->terms);
  for (uint32_t i = 0; i < count_of(table, a); i++) {
    Term literal = literals_of(table, a)[i];
    if (!has_literal(table, b, literal)) rest = term_and(table->terms, rest, literal);
  }
  return rest;
}

// Does `b` have the complement of one of the literals that only `a` has? Then (l & x) | (!l & y): if x is empty this
// is l | y, which keeps nested branches flat.
static Term rest_without_complement(GuardTable *table, GuardId a, GuardId b, Term only_of_a) {
  Term complement = term_not(table->terms, only_of_a), rest = term_true(table->terms);
  if (!has_literal(table, b, complement)) return rest_of(table, b, a);
  for (uint32_t i = 0; i < count_of(table, b); i++) {
    Term literal = literals_of(table, b)[i];
    if (literal != complement && !has_literal(table, a, literal)) rest = term_and(table->terms, rest, literal);
  }
  return rest;
}

Term guard_difference(GuardTable *table, GuardId guard, GuardId other) { return rest_of(table, guard, other); }

static GuardId merge(GuardTable *table, GuardId a, GuardId b) {
  Term left = rest_of(table, a, b), right = rest_of(table, b, a);
  right = rest_without_complement(table, a, b, left);
  left = rest_without_complement(table, b, a, right);
  // A disjunction is written with conjunction and negation, so that it is the complement of the branch not taken.
  Term neither = term_and(table->terms, term_not(table->terms, left), term_not(table->terms, right));
  Term either = term_not(table->terms, neither);
  TermVector_clear(&table->scratch);
  for (uint32_t i = 0; i < count_of(table, a); i++) {
    Term literal = literals_of(table, a)[i];
    if (has_literal(table, b, literal)) TermVector_push(&table->scratch, literal);
  }
  GuardId common = intern_guard(table, TERM_NONE);
  return guard_and(table, common, either);
}

GuardId guard_or(GuardTable *table, GuardId a, GuardId b) {
  if (a == b || b == GUARD_FALSE) return a;
  if (a == GUARD_FALSE) return b;
  if (guard_implies(table, a, b)) return b;
  if (guard_implies(table, b, a)) return a;
  uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, merged;
  if (map_get(&table->merged, key, &merged)) return (GuardId)merged;
  GuardId result = merge(table, a, b);
  map_put(&table->merged, key, result);
  return result;
}
