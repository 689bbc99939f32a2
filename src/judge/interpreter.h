// The judge's interpreter: one concrete state of a program, and the meaning of one step on it.
//
// It is written to be obviously right, not fast: values are 128-bit numbers in plain arrays, terms are evaluated by
// term_evaluate, and nothing is precomputed. It works on the unreduced program (edges of one step). The fast search
// (machine.h) is tested against it, and every counterexample is run through it.
//
// A memory access is valid if its address is that of a cell (or of the first of consecutive byte cells) that the
// access may touch according to the layout, in a block that is live and that large, and not written if constant.
// Anything else is an invalid dereference; the interpreter reports it and leaves the consequence to its caller.
//
// Ownership: the state owns its arrays; the program must outlive it.
#ifndef HEDDLE_JUDGE_INTERPRETER_H
#define HEDDLE_JUDGE_INTERPRETER_H

#include "program/program.h"

// The life of a dynamic object: a heap block, or an automatic variable whose lifetime is observed.
typedef enum HeapState { HEAP_UNBORN, HEAP_LIVE, HEAP_FREED } HeapState;

typedef struct Concrete {
  const Program *program;
  LocationId *locations; // per thread
  Bits *variables;       // per variable
  Bits *cells;           // per cell
  bool *indeterminate;   // per cell: its value is chosen at the next read
  uint8_t *heap;         // per object: HeapState (meaningful for dynamic ones)
  uint32_t *extent;      // per object: how many of its bytes are there (meaningful for sized ones that are live)
  bool *stopped;         // per thread: it met a cut
  Account *account;
} Concrete;

void concrete_init(Concrete *state, const Program *program, Account *account); // the initial state
void concrete_free(Concrete *state);
void concrete_copy(Concrete *to, const Concrete *from); // both of the same program

// Values for the free choices of steps, consumed in order. With `guess`, zero is handed out when there are no more
// values, and `guessed` counts how often, `guessed_widths` how wide.
enum { MOST_GUESSES = 8 };
typedef struct Choices {
  const Bits *values;
  size_t count, next;
  bool guess;
  size_t guessed;
  unsigned guessed_widths[MOST_GUESSES]; // of the first ones
} Choices;

typedef enum StepOutcome {
  OUTCOME_TAKEN,
  OUTCOME_BLOCKED,         // the guard is false; nothing changed
  OUTCOME_ERROR,           // an ERROR step was executed
  OUTCOME_HALT,            // a HALT step was executed
  OUTCOME_CUT,             // a CUT step was executed: the thread stops for good
  OUTCOME_INVALID_ACCESS,  // null, wild, out of bounds, freed, not allocated, constant; nothing changed
  OUTCOME_INVALID_FREE,    // nothing changed
  OUTCOME_ZERO_DIVISOR,    // nothing changed
  OUTCOME_CHOICES_MISSING, // more choices were needed
  OUTCOME_UNSUPPORTED      // not a step of a prepared program, or an allocation of a block that was handed out before
} StepOutcome;

// What a step touched; filled as far as it got.
typedef struct StepEffect {
  CellId first_cell; // NO_ID: none
  uint32_t cell_count;
  const char *complaint; // for invalid accesses and frees: what is wrong, e.g. "the block was freed"
  uint64_t address;      // of the access, or the freed pointer
  size_t fresh_choices;  // how many choices were for assignments; the rest were for cells
} StepEffect;

// Executes the single step of `edge`, which must leave the location of `thread`. Does not look at atomic sections.
StepOutcome concrete_step(Concrete *state, ThreadId thread, EdgeId edge, Choices *choices, StepEffect *effect);

typedef enum CanRun {
  RUN_NO,     // no step can be taken, and none waits
  RUN_WAITS,  // no step can be taken, and a WAIT or LOCK step is among those that cannot
  RUN_YES,    // some step can be taken (a step that ends the process counts)
  RUN_UNKNOWN // it depends on a free choice that was not tried
} CanRun;

// Can `thread` take a step here, respecting that atomic sections are only entered if they can be finished?
CanRun concrete_can_run(const Concrete *state, ThreadId thread);
// The same question for deadlocks: a section one of whose choices waits, while the others only end the execution (by
// the end of the process or a failed assumption), can wait. Where the execution can only end, the answer is unknown.
CanRun concrete_can_wait(const Concrete *state, ThreadId thread);
// The same question for infinite executions: what ends the process is a step; an invalid access, an invalid free and a
// division by zero are none, but stop the thread as a false assumption does.
CanRun concrete_can_go_on(const Concrete *state, ThreadId thread);

Bits concrete_evaluate(const Concrete *state, Term term);

#endif
