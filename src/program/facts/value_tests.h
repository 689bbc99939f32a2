// How values that come from outside are tested: for each variable and cell that may hold an input, an indeterminate
// value or something made from one, the tests (test_sets.h) through which the value matters from a location on.
//
// If every test gives the same result for the values of two states, then executions continue in the same way from both:
// the same steps can be taken, and they access the same memory. This follows by induction over the steps. The tests of
// a variable at a location contain the tests that the steps there make, and the tests of each variable or cell into
// which the value goes. If a step has a condition on the variable, later tests matter only if the condition holds. A
// term that depends on several values is taken apart until each part depends on one value. A value that is combined
// with another one directly is tested closely: every bit counts.
//
// Variables are private to a thread, so the tests of a variable are those at its thread's location; a cell has the same
// tests everywhere. Direction: may-add. The program has one step per edge. The facts hold as long as its steps are not
// changed.
#ifndef HEDDLE_PROGRAM_FACTS_VALUE_TESTS_H
#define HEDDLE_PROGRAM_FACTS_VALUE_TESTS_H

#include "base/budget.h"
#include "program/facts/facts.h"
#include "program/facts/test_sets.h"

typedef struct ValueTests {
  Direction direction; // FACT_MAY_ADD
  Program *program;
  TestSets sets;
  Term holes[65];        // per width: the variable of tests; TERM_NONE: not made
  Bitset variables;      // variables that may hold a value from outside
  uint32_t *row;         // per location: start of its row; one more at the end
  U32Vector in_row;      // variables, in order
  U32Vector tests;       // their sets, at the same indices
  TestSetId *everywhere; // per variable: its set at all locations; NULL: the rows have the sets
  TestSetId *cells;      // per cell
  Bitset outside;        // cells that may hold a value from outside
  Account *account;
} ValueTests;

// Adds terms to the program's store. False: out of time, nothing is known.
bool value_tests(Program *p, ValueTests *tests, Budget *budget, Account *account);
void value_tests_free(ValueTests *tests);

// The tests of a variable while its thread stands at `location`.
TestSetId value_tests_at(const ValueTests *tests, LocationId location, VariableId variable);

#endif
