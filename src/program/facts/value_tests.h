// How values that come from outside are looked at: for each variable and cell that may hold (something made from) an input
// or an indeterminate value, the tests (test_sets.h) through which it matters from a location on.
//
// If every test of what two states hold gives the same for both, then an execution goes on in the same way from either: the
// same steps can be taken, and they access the same memory. It follows by induction over the steps: the tests of a variable
// at a location contain what the steps there ask of it, and the tests of whatever it goes into; where a step has a
// condition on the variable, what lies behind it matters only if that holds. Terms in which several values meet are taken
// apart until each part depends on one. What is left of a value that meets others as it is, is the value itself, which
// is looked at closely.
//
// Variables are private to a thread, so that the tests of one are those at the thread's location; cells have the same
// ones everywhere. Direction: may-add. Facts hold for the program that was given, as long as its steps are not changed.
// It has one step per edge.
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
  Bitset variables;      // that may hold something from outside
  uint32_t *row;         // per location: start of its row; one more at the end
  U32Vector in_row;      // variables, in order
  U32Vector tests;       // the same places: their sets
  TestSetId *everywhere; // per variable without places in rows
  TestSetId *cells;      // per cell
  Bitset outside;        // cells that may hold something from outside
  Account *account;
} ValueTests;

// Adds terms to the program's store. False: out of time, nothing is known.
bool value_tests(Program *p, ValueTests *tests, Budget *budget, Account *account);
void value_tests_free(ValueTests *tests);

// Of a variable when its thread stands at `location`.
TestSetId value_tests_at(const ValueTests *tests, LocationId location, VariableId variable);

#endif
