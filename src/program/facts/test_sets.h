// Sets of tests. A test is a function of one value, given as a term over a variable that stands for the value (the
// hole). A program looks at the value through its tests only. Equal sets have equal numbers.
//
// A set is sufficient for a value if everything that the program does with the value is determined by the results of
// its tests. So a test whose result is determined by those of the other tests may be left out, and a set may always
// have more tests, or be TESTS_CLOSELY: every bit counts.
//
// A guarded test gives the result of its plain test if conditions on the value hold, and 0 otherwise. The plain test
// and the conditions determine its result. In a set that grows beyond MOST_TESTS they replace the guarded tests.
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
  assert((size_t)id + 1 < sets->start.count);
  *count = sets->start.data[id + 1] - sets->start.data[id];
  return sets->items.data + sets->start.data[id];
}

// The set with one more test. A test that is the hole itself makes it TESTS_CLOSELY; a constant adds nothing.
TestSetId test_sets_add(TestSets *sets, TestSetId id, Term test);
TestSetId test_sets_unite(TestSets *sets, TestSetId a, TestSetId b);
// The test if the condition holds, else 0. It is the test itself if that has MOST_GUARDS guards. Both are over one
// hole.
Term test_sets_guard(TestSets *sets, Term condition, Term test);

#endif
