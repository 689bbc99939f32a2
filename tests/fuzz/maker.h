// What the parts of the generator share: the place in the program that is being made, and the parts themselves.
#ifndef HEDDLE_FUZZ_MAKER_H
#define HEDDLE_FUZZ_MAKER_H

#include "fuzz/dice.h"
#include "fuzz/tree.h"

#include <assert.h>

// X(name, how many of a hundred programs have it)
#define FEATURES(X)                                                                                                    \
  X(LOCKS, 45)                                                                                                         \
  X(CONDITIONS, 12)                                                                                                    \
  X(ATOMICS, 40)                                                                                                       \
  X(SECTIONS, 25)                                                                                                      \
  X(ARRAYS, 25)                                                                                                        \
  X(OUT_OF_BOUNDS, 10)                                                                                                 \
  X(POINTERS, 25)                                                                                                      \
  X(LISTS, 15)                                                                                                         \
  X(STRUCTURES, 20)                                                                                                    \
  X(INPUTS, 30)                                                                                                        \
  X(LOOPS, 30)                                                                                                         \
  X(WAITS, 35)                                                                                                         \
  X(ENDS, 15)                                                                                                          \
  X(ASSUMES, 20)                                                                                                       \
  X(NESTED_CREATES, 15)                                                                                                \
  X(EQUAL_THREADS, 30)                                                                                                 \
  X(FORGOTTEN_UNLOCKS, 5)

typedef enum Feature {
#define X(name, percent) FEATURE_##name,
  FEATURES(X)
#undef X
      FEATURE_COUNT
} Feature;

enum { MOST_PALETTE = 6 };

typedef struct Maker {
  Dice dice;
  Arena *arena;
  Tree *tree;
  unsigned features;         // bits 1 << Feature
  int palette[MOST_PALETTE]; // shared variables of this program
  unsigned palette_count;
  unsigned values[GLOBAL_COUNT]; // bit v: some statement may give the variable the value v, as far as is plain to see
  // What a waiting loop waits for, so that another thread comes to do it.
  struct {
    int value; // 0: nothing
    unsigned body;
  } wanted[GLOBAL_COUNT];
  unsigned body;       // being made
  unsigned loop_depth; // constant loops around this place
  unsigned held;       // mutexes, as bits
  unsigned set_locals; // written so far, as bits
  bool section;        // in an atomic section
  bool endless;        // in a loop of no known number of rounds: values must not grow
  bool lively;         // for a formula: some loops have no end
  int labels;          // made so far
} Maker;

static inline bool maker_has(const Maker *maker, Feature feature) { return maker->features >> feature & 1; }

// generate_expression.c
Node *make_constant(Maker *maker, unsigned below);
Node *make_place(Maker *maker);        // to be written
Node *make_read(Maker *maker);         // to be read: a local only if it was written
Node *make_shared_place(Maker *maker); // not a local
Node *make_value(Maker *maker, unsigned depth);
Node *make_condition(Maker *maker, unsigned depth);
Node *make_assertion(Maker *maker);
int make_target(Maker *maker);
int make_atomic(Maker *maker);                              // index of an atomic variable
void note_assignment(Maker *maker, const Node *assignment); // an ASSIGN or UPDATE, for the values of assertions

Node *make_comparison_of_shared(Maker *maker); // for a formula

// generate_formula.c
Node *make_formula(Maker *maker);

// generate_statement.c: statements up to the budget, which counts nested ones too
Node *make_wanted(Maker *maker, unsigned percent); // an assignment that another body waits for, or NULL
Node *make_block(Maker *maker, unsigned budget);
Node *make_statement(Maker *maker, unsigned *budget);

#endif
