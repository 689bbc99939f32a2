// The machine: executes compiled edges on a state vector.
//
// An edge is executed in two parts. `machine_begin` evaluates the address, loads, evaluates the guard and returns what
// would happen. It does not change the vector. `machine_commit` makes the changes. It may be called only after
// machine_begin returned EDGE_TAKEN or EDGE_CUT for the edge, with no other begin in between. Choices come from the
// chooser.
#ifndef HEDDLE_EXPLICIT_MACHINE_MACHINE_H
#define HEDDLE_EXPLICIT_MACHINE_MACHINE_H

#include "explicit/chooser.h"
#include "explicit/machine/compile.h"
#include "verdict/property.h"

typedef enum EdgeResult {
  EDGE_TAKEN,
  EDGE_BLOCKED, // the guard is false
  EDGE_ENDS,    // the process ends here, without violating the property
  EDGE_VIOLATES,
  EDGE_CUT // a CUT step
} EdgeResult;

enum { MOST_ACCESS_CELLS = 16 };

typedef struct Machine {
  const MachineCode *code;
  const StateLayout *layout;
  const Program *program;
  Property property;
  uint8_t *vector;
  uint64_t *registers;
  Chooser *chooser;
  bool testing; // machine_begin does not choose; if the result depends on a choice, it is EDGE_TAKEN
  // The access of the edge begun last:
  CellId cell;
  uint32_t cell_count;
  uint64_t chosen_mask; // bit i: cell i of the access was indeterminate and got chosen[i]
  bool carried;         // the cell is indeterminate and was loaded as it is
  Bits chosen[MOST_ACCESS_CELLS];
  Bits loaded;       // what the access loaded, for wide terms
  VariableId into;   // NO_ID if it does not read
  Bits *wide_values; // scratch, one per write of an edge
  bool *copied;      // the same, for flags
  Bitset ended;      // steps at which the execution ended by an invalid access, an invalid free or a zero divisor
  Bitset unforeseen; // steps whose address was valid, but not among those that the static facts list
  Account *account;
} Machine;

void machine_init(Machine *machine, const MachineCode *code, Property property, Chooser *chooser, Account *account);
void machine_free(Machine *machine);

EdgeResult machine_begin(Machine *machine, const EdgeCode *edge);
void machine_commit(Machine *machine, const EdgeCode *edge, ThreadId thread);

// The cells that the edge's access would touch now, from the thread's variables alone: false if it has no valid
// access. Does not look at whether a heap block is live.
bool machine_locate(Machine *machine, const EdgeCode *edge, CellId *first, uint32_t *count);

// Chooses the indeterminate variables that the steps at a location read.
void machine_resolve(Machine *machine, const LocationCode *location);
// Is one of them indeterminate now?
bool machine_needs_resolve(const Machine *machine, const LocationCode *location);

// Runs instructions.
void machine_execute(Machine *machine, uint32_t first, uint32_t end);
// The value of a term of any width over the vector, with `into` as loaded by the edge begun last.
Bits machine_evaluate(Machine *machine, Term term);

#endif
