// What passes share: walking the variables of terms, sweeping a program after edges were cut off, cell facts.
#ifndef HEDDLE_PROGRAM_PASSES_REWRITE_H
#define HEDDLE_PROGRAM_PASSES_REWRITE_H

#include "base/bitset.h"
#include "program/program.h"

// --- variables that steps read ---

// Collects the thread variables of terms, each once per round.
typedef struct VariableWalker {
  const Program *program;
  uint32_t *seen; // per term: the round in which it was last met
  size_t seen_count;
  uint32_t round;
  U32Vector stack;
  Account *account;
} VariableWalker;
void variable_walker_init(VariableWalker *walker, const Program *p, Account *account);
void variable_walker_free(VariableWalker *walker);
void variable_walker_start(VariableWalker *walker);                       // a new round
void variable_walker_add(VariableWalker *walker, Term t, U32Vector *out); // appends VariableIds not met in this round

// Which variables each step reads, in groups: `address` before the access, `rest` (guard, stored, operand) after it,
// then one group for each assignment's right side.
typedef struct StepUses {
  uint32_t *first_group; // per step: index of its address group; its rest group and assignment groups follow
  U32Vector group_start; // per group: start in `variables`; one more at the end
  U32Vector variables;
  size_t step_count;
  Account *account;
} StepUses;
void step_uses_init(StepUses *uses, const Program *p, Account *account);
void step_uses_free(StepUses *uses);
enum { USES_ADDRESS = 0, USES_REST = 1, USES_FIRST_ASSIGNMENT = 2 };
static inline const uint32_t *step_uses(const StepUses *uses, StepId step, uint32_t group, uint32_t *count) {
  assert(step < uses->step_count);
  uint32_t at = uses->first_group[step] + group;
  assert(at + 1 < uses->group_start.count);
  *count = uses->group_start.data[at + 1] - uses->group_start.data[at];
  return uses->variables.data + uses->group_start.data[at];
}

// --- order and liveness ---

// The locations that the entries reach, each thread's in reverse postorder, threads one after the other. Marks back
// edges and loop heads as it goes if `mark` is given (then it must be `p` itself).
void program_reverse_postorder(const Program *p, U32Vector *order, Program *mark);

// Is every cycle closed by an edge that is marked as a backward edge? Reductions rest on it. After the pass "loops".
bool program_cycles_go_back(const Program *p);

// Live variables, location by location. Locations are grouped into regions: trees of locations with one way in, hanging
// from a root (an entry, a join, a loop head). A row is the ordered list of the variables that are live at a location:
// its length does not depend on the size of the program. Rows are kept for the roots. live_rows_load computes the rows
// of the other locations, of one region at a time.
typedef struct LiveRows {
  const Program *program;
  const StepUses *uses;
  uint32_t *region;       // per location; NO_ID: not reached
  uint32_t *place;        // per location: which member of its region it is; 0: the root
  U32Vector member_start; // per region: start in `members`; one more at the end
  U32Vector members;      // parents before children
  U32Vector *roots;       // per region: the row of its root
  size_t root_total;      // variables in them
  size_t most_in_roots;   // if there are more, those that are in many rows go to `everywhere`
  Bitset everywhere;      // variables that count as live everywhere and are in no row
  size_t region_count;
  uint32_t loaded;        // region; NO_ID: none
  U64Vector loaded_start; // per member of the loaded region: its row in `loaded_rows`
  U32Vector loaded_count; // and how long it is
  U32Vector loaded_rows;
  U32Vector row, work, spare, needed; // scratch
  Account *account;
} LiveRows;
void live_rows_init(LiveRows *rows, const Program *p, const StepUses *uses, size_t most_in_roots, Account *account);
void live_rows_free(LiveRows *rows);
void live_rows_load(LiveRows *rows, uint32_t region);
// Of a root, or of a location of the loaded region.
bool live_rows_get(const LiveRows *rows, LocationId location, VariableId variable);

// --- sweeping ---

// Drops the edges with no steps left (step_count 0), what the entries cannot reach (but no thread's entry or final
// location) and the steps of no edge; renumbers and indexes. The order is kept. An edge whose step can never be taken
// stays if the step says why its thread stops there (it waits, or is an assume or START step); what only it leads to is
// dropped.
void program_sweep(Program *p);
// Drops the variables that no step mentions and orders the others by thread.
void program_drop_unused_variables(Program *p);

// Replaces a step's assignments (never in place: views share the arrays).
void step_set_assignments(Program *p, Step *step, const Assignment *assignments, uint32_t count);
// Puts the constant in the place of what the step loads into this variable, and assigns it.
void step_set_constant(Program *p, Step *step, VariableId into, Term constant);
void step_drop_access(Step *step);
void step_drop_check(Step *step); // of a CHECK step, which becomes a PLAIN one without effect
// Lets assignment `which` of the edge's only step choose a new variable of `bits` bits, which is as much of a guess as
// the old one. Returns its term; a step behind has to compute the old variable from it.
Term step_narrow_input(Program *p, EdgeId edge, uint32_t which, unsigned bits);
// Puts a step behind the edge's, at a location between them.
void edge_add_step_behind(Program *p, EdgeId edge, const Step *step);

// --- cells ---

// Recomputes `written` and `shared` of all cells from the accesses.
void program_mark_cells(Program *p);
// A CellSet of these cells (any order, with duplicates; the array is sorted in place).
typedef struct CellSetBuilder {
  Program *program;
  Map known; // hash of a list -> start in cell_lists
} CellSetBuilder;
void cell_set_builder_init(CellSetBuilder *builder, Program *p);
void cell_set_builder_free(CellSetBuilder *builder);
CellSet cell_set_build(CellSetBuilder *builder, U32Vector *cells);

// Per step: may its access touch a shared cell? An array of p->steps.count flags, to be freed with memory_free.
bool *program_shared_steps(const Program *p, Account *account);
// Is the access certain to hit a live object (a constant address inside memory that is always there)?
bool access_is_certain(const Program *p, const Access *access);
// Is the address an offset from a fixed object (`array[i]`), and is this the only object that the access may touch?
// Then an address outside of it is out of bounds, and not a pointer that the static facts failed to foresee.
bool access_has_base(const Program *p, const Access *access);

#endif
