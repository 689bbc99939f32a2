// How values that come from outside are looked at: for each variable and cell that may hold (something made from) an input
// or an indeterminate value, the functions of that value through which it matters.
//
// A test is a term over one variable, the hole of the value's width: `hole < 5`, `hole & 7`, `base + 4 * hole`. If every
// test of a variable or cell gives the same for two values, then an execution goes on in the same way with either: the
// same steps can be taken, and they access the same memory. It follows by induction over the steps, for the tests of what
// a value is copied to, or goes into, are among its own tests. Terms in which several values meet are taken apart until each
// part depends on one; what is left of a value that meets others as it is, is the hole itself: it is looked at closely.
//
// Direction: may-add. Facts hold for the program that was given, as long as its steps are not changed.
#ifndef HEDDLE_PROGRAM_VALUE_TESTS_H
#define HEDDLE_PROGRAM_VALUE_TESTS_H

#include "program/facts.h"

enum { MOST_TESTS = 40 };

typedef struct TestSet {
  bool closely; // every bit matters, or there are too many tests
  uint8_t count;
  Term tests[MOST_TESTS]; // none: nothing depends on the value
} TestSet;
VECTOR(TestSetVector, TestSet);

typedef struct ValueTests {
  Direction direction;             // FACT_MAY_ADD
  Term holes[65];                  // per width; TERM_NONE: not made
  uint32_t *of_variable, *of_cell; // index in `sets`; NO_ID: never holds anything from outside
  TestSetVector sets;
  size_t variable_count, cell_count;
  Account *account;
} ValueTests;

void value_tests(Program *p, ValueTests *tests, Account *account); // adds terms to the program's store
void value_tests_free(ValueTests *tests);

#endif
