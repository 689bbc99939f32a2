#include "term/conjunction.h"

#include "base/sorted.h"

#include <stdlib.h>

static ConjunctionId add_set(ConjunctionTable *table, const Term *literals, uint32_t count, Term term) {
  Conjunction set = {.first = (uint32_t)table->literals.count, .count = count, .term = term};
  for (uint32_t i = 0; i < count; i++) TermVector_push(&table->literals, literals[i]);
  ConjunctionVector_push(&table->sets, set);
  U32Vector_push(&table->older, UINT32_MAX);
  return (ConjunctionId)table->sets.count - 1;
}

void conjunction_table_init(ConjunctionTable *table, TermStore *terms, Account *account) {
  *table = (ConjunctionTable){.terms = terms};
  ConjunctionVector_init(&table->sets, account);
  TermVector_init(&table->literals, account);
  U32Vector_init(&table->older, account);
  TermVector_init(&table->scratch, account);
  map_init(&table->known, account);
  map_init(&table->merged, account);
  Term no = term_false(terms);
  add_set(table, NULL, 0, term_true(terms));
  add_set(table, &no, 1, no);
}

void conjunction_table_free(ConjunctionTable *table) {
  ConjunctionVector_free(&table->sets);
  TermVector_free(&table->literals);
  U32Vector_free(&table->older);
  TermVector_free(&table->scratch);
  map_free(&table->known);
  map_free(&table->merged);
}

static const Term *literals_of(const ConjunctionTable *table, ConjunctionId set) {
  assert(set < table->sets.count);
  return table->literals.data + table->sets.data[set].first;
}

static uint32_t count_of(const ConjunctionTable *table, ConjunctionId set) { return table->sets.data[set].count; }

bool conjunction_has(const ConjunctionTable *table, ConjunctionId set, Term literal) {
  return sorted_has_u32(literals_of(table, set), count_of(table, set), literal);
}

// The set with the sorted set of literals in `scratch`; `term` is their conjunction, or TERM_NONE: to be built.
static ConjunctionId intern_set(ConjunctionTable *table, Term term) {
  const Term *set = table->scratch.data;
  uint32_t count = (uint32_t)table->scratch.count;
  if (count == 0) return CONJUNCTION_TRUE;
  uint64_t hash = hash_bytes(set, count * sizeof *set);
  uint64_t first = map_get_or(&table->known, hash, UINT32_MAX);
  for (uint32_t g = (uint32_t)first; g != UINT32_MAX; g = table->older.data[g])
    if (count_of(table, g) == count && memcmp(literals_of(table, g), set, count * sizeof *set) == 0) return g;
  if (term == TERM_NONE) {
    term = set[0];
    for (uint32_t i = 1; i < count; i++) term = term_and(table->terms, term, set[i]);
  }
  if (term_is_false(table->terms, term)) return CONJUNCTION_FALSE;
  ConjunctionId id = add_set(table, set, count, term);
  table->older.data[id] = (uint32_t)first;
  map_put(&table->known, hash, id);
  return id;
}

// Puts a literal into the sorted `scratch`.
static void insert_literal(ConjunctionTable *table, Term literal) {
  TermVector *set = &table->scratch;
  TermVector_push(set, literal);
  size_t i = set->count - 1;
  while (i > 0 && set->data[i - 1] > literal) {
    set->data[i] = set->data[i - 1];
    i--;
  }
  set->data[i] = literal;
}

static ConjunctionId and_literal(ConjunctionTable *table, ConjunctionId set, Term literal) {
  if (term_is_true(table->terms, literal) || conjunction_has(table, set, literal)) return set;
  if (term_is_false(table->terms, literal)) return CONJUNCTION_FALSE;
  if (conjunction_has(table, set, term_not(table->terms, literal))) return CONJUNCTION_FALSE;
  TermVector_clear(&table->scratch);
  for (uint32_t i = 0; i < count_of(table, set); i++) TermVector_push(&table->scratch, literals_of(table, set)[i]);
  insert_literal(table, literal);
  return intern_set(table, term_and(table->terms, conjunction_term(table, set), literal));
}

// Appends the literals of a conjunction, those of shared parts once.
static void list_literals(ConjunctionTable *table, Term condition, TermVector *found) {
  TermStore *terms = table->terms;
  size_t next = found->count;
  TermVector_push(found, condition);
  while (next < found->count) {
    Term t = found->data[next];
    if (term_operator(terms, t) != TERM_AND) {
      next++;
      continue;
    }
    found->data[next] = term_child(terms, t, 0);
    TermVector_push(found, term_child(terms, t, 1));
  }
}

static int compare_terms(const void *a, const void *b) {
  Term x = *(const Term *)a, y = *(const Term *)b;
  return x < y ? -1 : x > y;
}

// The set of what is in `found`, which gets sorted. `term` as for intern_set.
static ConjunctionId intern_found(ConjunctionTable *table, TermVector *found, Term term) {
  if (found->count > 1) qsort(found->data, found->count, sizeof(Term), compare_terms);
  TermVector_clear(&table->scratch);
  for (size_t i = 0; i < found->count; i++)
    if (!term_is_true(table->terms, found->data[i]) && (i == 0 || found->data[i] != found->data[i - 1]))
      TermVector_push(&table->scratch, found->data[i]);
  return intern_set(table, term);
}

ConjunctionId conjunction_of(ConjunctionTable *table, const Term *literals, size_t count) {
  TermVector found;
  TermVector_init(&found, table->literals.account);
  bool impossible = false;
  for (size_t i = 0; i < count; i++) {
    TermVector_push(&found, literals[i]);
    impossible |= term_is_false(table->terms, literals[i]);
  }
  ConjunctionId set = impossible ? CONJUNCTION_FALSE : intern_found(table, &found, TERM_NONE);
  TermVector_free(&found);
  return set;
}

// A conjunction of many literals is added at once: one set instead of one for each literal.
static ConjunctionId and_many(ConjunctionTable *table, ConjunctionId set, Term condition) {
  TermVector found;
  TermVector_init(&found, table->literals.account);
  list_literals(table, condition, &found);
  bool contradiction = false;
  for (size_t i = 0; i < found.count && !contradiction; i++)
    contradiction = term_is_false(table->terms, found.data[i]) ||
                    conjunction_has(table, set, term_not(table->terms, found.data[i]));
  for (uint32_t i = 0; i < count_of(table, set); i++) TermVector_push(&found, literals_of(table, set)[i]);
  ConjunctionId both = CONJUNCTION_FALSE;
  if (!contradiction)
    both = intern_found(table, &found, term_and(table->terms, conjunction_term(table, set), condition));
  TermVector_free(&found);
  return both;
}

ConjunctionId conjunction_and(ConjunctionTable *table, ConjunctionId set, Term condition) {
  if (set == CONJUNCTION_FALSE) return CONJUNCTION_FALSE;
  if (term_operator(table->terms, condition) == TERM_AND) return and_many(table, set, condition);
  return and_literal(table, set, condition);
}

ConjunctionId conjunction_both(ConjunctionTable *table, ConjunctionId a, ConjunctionId b) {
  if (a == CONJUNCTION_FALSE || b == CONJUNCTION_FALSE) return CONJUNCTION_FALSE;
  if (count_of(table, a) < count_of(table, b)) {
    ConjunctionId swap = a;
    a = b;
    b = swap;
  }
  for (uint32_t i = 0; i < count_of(table, b); i++) a = and_literal(table, a, literals_of(table, b)[i]);
  return a;
}

bool conjunction_implies(const ConjunctionTable *table, ConjunctionId strong, ConjunctionId weak) {
  if (strong == weak || weak == CONJUNCTION_TRUE || strong == CONJUNCTION_FALSE) return true;
  uint32_t count = count_of(table, weak);
  if (count > count_of(table, strong)) return false;
  for (uint32_t i = 0; i < count; i++)
    if (!conjunction_has(table, strong, literals_of(table, weak)[i])) return false;
  return true;
}

bool conjunction_implied_by_two(const ConjunctionTable *table, ConjunctionId a, ConjunctionId b, ConjunctionId weak) {
  for (uint32_t i = 0; i < count_of(table, weak); i++) {
    Term literal = literals_of(table, weak)[i];
    if (!conjunction_has(table, a, literal) && !conjunction_has(table, b, literal)) return false;
  }
  return true;
}

bool conjunction_excludes(ConjunctionTable *table, ConjunctionId a, ConjunctionId b) {
  if (a == CONJUNCTION_FALSE || b == CONJUNCTION_FALSE) return true;
  if (count_of(table, a) > count_of(table, b)) {
    ConjunctionId swap = a;
    a = b;
    b = swap;
  }
  for (uint32_t i = 0; i < count_of(table, a); i++) {
    Term literal = literals_of(table, a)[i];
    if (conjunction_has(table, b, literal)) continue;
    if (conjunction_has(table, b, term_not(table->terms, literal))) return true;
  }
  return false;
}

// The conjunction of the literals of `a` that are not in `b`.
static Term rest_of(ConjunctionTable *table, ConjunctionId a, ConjunctionId b) {
  Term rest = term_true(table->terms);
  for (uint32_t i = 0; i < count_of(table, a); i++) {
    Term literal = literals_of(table, a)[i];
    if (!conjunction_has(table, b, literal)) rest = term_and(table->terms, rest, literal);
  }
  return rest;
}

static bool is_conjunct(const TermStore *terms, Term conjunction, Term literal) {
  if (conjunction == literal) return true;
  return term_operator(terms, conjunction) == TERM_AND &&
         (is_conjunct(terms, term_child(terms, conjunction, 0), literal) ||
          is_conjunct(terms, term_child(terms, conjunction, 1), literal));
}

static bool has_conjuncts(const ConjunctionTable *table, ConjunctionId set, Term conjunction) {
  if (conjunction_has(table, set, conjunction)) return true;
  return term_operator(table->terms, conjunction) == TERM_AND &&
         has_conjuncts(table, set, term_child(table->terms, conjunction, 0)) &&
         has_conjuncts(table, set, term_child(table->terms, conjunction, 1));
}

// Does `b` say the complement of what only `a` says? Then (l & x) | (!l & y): if x is empty this is l | y, which keeps
// nested branches flat.
static Term rest_without_complement(ConjunctionTable *table, ConjunctionId a, ConjunctionId b, Term only_of_a) {
  Term complement = term_not(table->terms, only_of_a), rest = term_true(table->terms);
  if (!has_conjuncts(table, b, complement)) return rest_of(table, b, a);
  for (uint32_t i = 0; i < count_of(table, b); i++) {
    Term literal = literals_of(table, b)[i];
    if (!is_conjunct(table->terms, complement, literal) && !conjunction_has(table, a, literal))
      rest = term_and(table->terms, rest, literal);
  }
  return rest;
}

Term conjunction_difference(ConjunctionTable *table, ConjunctionId set, ConjunctionId other) {
  return rest_of(table, set, other);
}

static ConjunctionId merge(ConjunctionTable *table, ConjunctionId a, ConjunctionId b) {
  Term left = rest_of(table, a, b), right = rest_of(table, b, a);
  right = rest_without_complement(table, a, b, left);
  left = rest_without_complement(table, b, a, right);
  // A disjunction is written with conjunction and negation, so that it is the complement of the branch not taken.
  Term neither = term_and(table->terms, term_not(table->terms, left), term_not(table->terms, right));
  Term either = term_not(table->terms, neither);
  TermVector_clear(&table->scratch);
  for (uint32_t i = 0; i < count_of(table, a); i++) {
    Term literal = literals_of(table, a)[i];
    if (conjunction_has(table, b, literal)) TermVector_push(&table->scratch, literal);
  }
  ConjunctionId common = intern_set(table, TERM_NONE);
  return conjunction_and(table, common, either);
}

ConjunctionId conjunction_or(ConjunctionTable *table, ConjunctionId a, ConjunctionId b) {
  if (a == b || b == CONJUNCTION_FALSE) return a;
  if (a == CONJUNCTION_FALSE) return b;
  if (conjunction_implies(table, a, b)) return b;
  if (conjunction_implies(table, b, a)) return a;
  uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, merged;
  if (map_get(&table->merged, key, &merged)) return (ConjunctionId)merged;
  ConjunctionId result = merge(table, a, b);
  map_put(&table->merged, key, result);
  return result;
}
