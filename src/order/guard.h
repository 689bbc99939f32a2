// Guards: conditions under which a place of the unrolling is reached, kept as sets of conjuncts.
//
// A guard is an interned, sorted set of terms of width 1 (its literals); equal sets have equal ids. GUARD_TRUE is the
// empty set, GUARD_FALSE the contradiction. Keeping the conjuncts makes three questions cheap that are asked all the
// time: does one guard imply another (superset), do two exclude each other (complementary literals), and what is left
// when two branches meet (what they share, and the disjunction of the rest).
#ifndef HEDDLE_ORDER_GUARD_H
#define HEDDLE_ORDER_GUARD_H

#include "base/map.h"
#include "term/term.h"

typedef uint32_t GuardId;
enum { GUARD_TRUE = 0, GUARD_FALSE = 1 };

typedef struct Guard {
  uint32_t first, count; // range in GuardTable.literals
  Term term;             // the conjunction
} Guard;
VECTOR(GuardVector, Guard);

typedef struct GuardTable {
  TermStore *terms;
  GuardVector guards;
  TermVector literals;
  Map known;       // hash of a set -> the last guard with it
  U32Vector older; // per guard: the guard before it with the same hash
  Map merged;      // pairs already merged
  TermVector scratch;
} GuardTable;

void guard_table_init(GuardTable *table, TermStore *terms, Account *account);
void guard_table_free(GuardTable *table);

GuardId guard_and(GuardTable *table, GuardId guard, Term condition);
GuardId guard_both(GuardTable *table, GuardId a, GuardId b);
GuardId guard_or(GuardTable *table, GuardId a, GuardId b);
bool guard_implies(const GuardTable *table, GuardId strong, GuardId weak); // may miss implications
bool guard_implied_by_two(const GuardTable *table, GuardId a, GuardId b, GuardId weak);
bool guard_excludes(GuardTable *table, GuardId a, GuardId b); // may miss exclusions
// What `guard` says beyond `other`. If they exclude each other, this tells under their disjunction which one holds.
Term guard_difference(GuardTable *table, GuardId guard, GuardId other);
static inline Term guard_term(const GuardTable *table, GuardId guard) { return table->guards.data[guard].term; }

#endif
