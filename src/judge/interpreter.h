// The judge's interpreter: one concrete state of a program, and the meaning of one step on it.
//
// It is written to be simple, not fast: values are 128-bit numbers in plain arrays, terms are evaluated by
// term_evaluate, and nothing is precomputed. It works on the unreduced program (one step per edge). The fast search
// (machine.h) is tested against it, and every counterexample is executed by it.
//
// A memory access is valid if all of these hold: its address is that of a cell, or of the first of consecutive cells,
// that the access may touch according to the layout; the object is live; the access ends within the object's size; an
// object that is written is not constant. Any other access is an invalid dereference. The interpreter reports it and
// leaves the consequence to its caller.
//
// Invariants: each thread is at one of its own locations; a value fits the width of its variable or cell; a cell that
// is indeterminate has value 0 until it is chosen. Ownership: the state owns its arrays; the program must outlive it.
#ifndef HEDDLE_JUDGE_INTERPRETER_H
#define HEDDLE_JUDGE_INTERPRETER_H

#include "program/program.h"

// The life of a dynamic object: a heap block, or an automatic variable whose lifetime is observed.
typedef enum HeapState {
  HEAP_UNBORN, // not allocated yet, or its lifetime has not begun
  HEAP_LIVE,
  HEAP_FREED // freed, or its lifetime has ended
} HeapState;

typedef struct Concrete {
  const Program *program;
  LocationId *locations; // per thread
  Bits *variables;       // per variable
  Bits *cells;           // per cell
  bool *indeterminate;   // per cell: its value is chosen at the next read
  uint8_t *heap;         // per object: HeapState (meaningful for dynamic ones)
  uint32_t *extent;      // per object: its size in bytes (meaningful for sized objects that are live)
  bool *stopped;         // per thread: it took a CUT step, and takes no further step
  Account *account;
} Concrete;

void concrete_init(Concrete *state, const Program *program, Account *account); // the initial state
void concrete_free(Concrete *state);
void concrete_copy(Concrete *to, const Concrete *from); // both of the same program

// Values for the choices of steps, consumed in order. With `guess`, each choice after the last value is 0; `guessed`
// counts these choices and `guessed_widths` has the widths of the first MOST_GUESSES of them.
enum { MOST_GUESSES = 8 };
typedef struct Choices {
  const Bits *values;
  size_t count, next;
  bool guess;
  size_t guessed;
  unsigned guessed_widths[MOST_GUESSES];
} Choices;

typedef enum StepOutcome {
  OUTCOME_TAKEN,
  OUTCOME_BLOCKED,         // the guard is false; nothing changed
  OUTCOME_ERROR,           // an ERROR step was executed
  OUTCOME_HALT,            // a HALT step was executed
  OUTCOME_CUT,             // a CUT step was executed: the thread takes no further step
  OUTCOME_INVALID_ACCESS,  // null, wild, out of bounds, freed, not allocated, constant; nothing changed
  OUTCOME_INVALID_FREE,    // nothing changed
  OUTCOME_ZERO_DIVISOR,    // nothing changed
  OUTCOME_CHOICES_MISSING, // more choices were needed
  OUTCOME_UNSUPPORTED      // not a step of a prepared program, or the block was allocated before
} StepOutcome;

// What a step touched. If the step was not completed, the members are set as far as it was executed.
typedef struct StepEffect {
  CellId first_cell; // NO_ID: none
  uint32_t cell_count;
  const char *complaint; // for invalid accesses and frees: what is wrong, e.g. "the block was freed"
  uint64_t address;      // of the access, or the freed pointer
  bool check_fails;      // a CHECK step whose operand is true was taken
  size_t fresh_choices;  // how many choices were for assignments; the rest were for cells
} StepEffect;

// Executes the single step of `edge`, which must leave the location of `thread`. The caller must see to it that no
// other thread is inside an atomic section.
StepOutcome concrete_step(Concrete *state, ThreadId thread, EdgeId edge, Choices *choices, StepEffect *effect);

typedef enum CanRun {
  RUN_NO,     // no step can be taken, and no step waits
  RUN_WAITS,  // no step can be taken, and one of them is a WAIT or LOCK step
  RUN_YES,    // some step can be taken (a step that ends the process counts)
  RUN_UNKNOWN // it depends on a choice that was not tried, or the thread has met a cut
} CanRun;

// Is `thread` enabled? It is not if its next step enters an atomic section that it cannot finish.
//
// For deadlocks: if some choices in a section wait and all others end the execution (by the end of the process or a
// false assumption), the thread waits. If all choices end the execution, the answer is unknown.
CanRun concrete_can_wait(const Concrete *state, ThreadId thread);
// For infinite executions: a step that ends the process counts as a step. An invalid access, an invalid free and a
// division by zero do not: like a false assumption, they disable the thread for ever.
CanRun concrete_can_go_on(const Concrete *state, ThreadId thread);

// The value of a term over the variables of the program (not over cells) in the state.
Bits concrete_evaluate(const Concrete *state, Term term);

#endif
