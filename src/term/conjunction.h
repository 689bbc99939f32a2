// Conjunctions: interned sets of terms of width 1, for conditions that grow, are compared and meet again (guards of
// unrolled programs, labels of abstract states).
//
// A conjunction is a sorted set of literals (any terms of width 1 but conjunctions); equal sets have equal ids.
// CONJUNCTION_TRUE is the empty set, CONJUNCTION_FALSE the contradiction. Keeping the literals makes three questions
// cheap that are asked all the time: does one imply another (superset), do two exclude each other (complementary
// literals), and what is left when two branches meet (what they share, and the disjunction of the rest).
#ifndef HEDDLE_TERM_CONJUNCTION_H
#define HEDDLE_TERM_CONJUNCTION_H

#include "base/map.h"
#include "term/term.h"

typedef uint32_t ConjunctionId;
enum { CONJUNCTION_TRUE = 0, CONJUNCTION_FALSE = 1 };

typedef struct Conjunction {
  uint32_t first, count; // range in ConjunctionTable.literals
  Term term;             // the conjunction
} Conjunction;
VECTOR(ConjunctionVector, Conjunction);

typedef struct ConjunctionTable {
  TermStore *terms;
  ConjunctionVector sets;
  TermVector literals;
  Map known;       // hash of a set -> the last set with it
  U32Vector older; // per set: the set before it with the same hash
  Map merged;      // pairs already merged
  TermVector scratch;
} ConjunctionTable;

void conjunction_table_init(ConjunctionTable *table, TermStore *terms, Account *account);
void conjunction_table_free(ConjunctionTable *table);

// The set of these literals, none of which is a conjunction or the negation of another.
ConjunctionId conjunction_of(ConjunctionTable *table, const Term *literals, size_t count);
ConjunctionId conjunction_and(ConjunctionTable *table, ConjunctionId set, Term condition);
ConjunctionId conjunction_both(ConjunctionTable *table, ConjunctionId a, ConjunctionId b);
ConjunctionId conjunction_or(ConjunctionTable *table, ConjunctionId a, ConjunctionId b);
bool conjunction_has(const ConjunctionTable *table, ConjunctionId set, Term literal);
bool conjunction_implies(const ConjunctionTable *table, ConjunctionId strong,
                         ConjunctionId weak); // may miss implications
bool conjunction_implied_by_two(const ConjunctionTable *table, ConjunctionId a, ConjunctionId b, ConjunctionId weak);
bool conjunction_excludes(ConjunctionTable *table, ConjunctionId a, ConjunctionId b); // may miss exclusions
// What `set` says beyond `other`. If they exclude each other, this tells under their disjunction which one holds.
Term conjunction_difference(ConjunctionTable *table, ConjunctionId set, ConjunctionId other);
static inline Term conjunction_term(const ConjunctionTable *table, ConjunctionId set) {
  return table->sets.data[set].term;
}
static inline const Term *conjunction_literals(const ConjunctionTable *table, ConjunctionId set, uint32_t *count) {
  *count = table->sets.data[set].count;
  return table->literals.data + table->sets.data[set].first;
}

#endif
