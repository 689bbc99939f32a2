// Sets of tests: functions of one value, as terms over a variable that stands for it (the hole), through which a program
// looks at it. Equal sets have equal numbers.
//
// A set says enough about a value if all that is done with it follows from what its tests give. So a test that follows from
// others of the set may be left out, and a set may always have more tests, or be TESTS_CLOSELY: every bit counts.
//
// A test can be guarded: it gives something only where conditions on the value hold, and 0 elsewhere. It follows from
// the plain test and the conditions. Sets that grow beyond MOST_TESTS trade guarded tests for these.
#ifndef HEDDLE_PROGRAM_FACTS_TEST_SETS_H
#define HEDDLE_PROGRAM_FACTS_TEST_SETS_H

#include "term/term.h"

typedef uint32_t TestSetId;
enum { TESTS_NONE = 0, TESTS_CLOSELY = 1, MOST_TESTS = 40, MOST_GUARDS = 4 };

typedef struct GuardedTest {
  Term guards[MOST_GUARDS]; // in order
  unsigned count;
  Term plain;
} GuardedTest;
VECTOR(GuardedTestVector, GuardedTest);

typedef struct TestSets {
  TermStore *terms;
  U32Vector start; // per set: where its tests stand in `items`, in order; one more at the end
  TermVector items;
  Map numbers;                // hash of a set -> its number (the last one with this hash)
  Map added, united, guarded; // what was computed before
  Map records;                // guarded test -> index in `guarded_tests`
  GuardedTestVector guarded_tests;
  Account *account;
} TestSets;

void test_sets_init(TestSets *sets, TermStore *terms, Account *account);
void test_sets_free(TestSets *sets);

static inline const Term *test_set_at(const TestSets *sets, TestSetId id, uint32_t *count) {
  *count = sets->start.data[id + 1] - sets->start.data[id];
  return sets->items.data + sets->start.data[id];
}

// A test of the hole itself looks closely; a constant tests nothing.
TestSetId test_sets_add(TestSets *sets, TestSetId id, Term test);
TestSetId test_sets_unite(TestSets *sets, TestSetId a, TestSetId b);
// The test where the condition holds, 0 elsewhere; or the test itself, if it has guards enough. Both over one hole.
Term test_sets_guard(TestSets *sets, Term condition, Term test);

#endif
