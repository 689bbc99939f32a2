// What the parts of the unroller share.
#ifndef HEDDLE_ORDER_UNROLL_UNROLL_INTERNAL_H
#define HEDDLE_ORDER_UNROLL_UNROLL_INTERNAL_H

#include "order/unroll/event_values.h"
#include "order/unroll/nesting.h"
#include "order/unroll/unroll.h"
#include "program/facts/facts.h"

// A symbolic state of a thread. `values` holds the thread's variables, then the cells whose values the thread knows,
// then, for sections, the condition under which each cell was written. The thread knows its private cells. While it is
// alone it knows all cells. Inside a section it also knows the cells that it has accessed there.
typedef struct State {
  ConjunctionId guard;
  Values values;
  uint32_t section; // index in Unroller.sections, or NO_ID
  bool alone;       // no other thread has been created
} State;
VECTOR(StateVector, State);

// An atomic section being unrolled: one node, at most one read from outside per cell.
typedef struct Section {
  NodeId node;
  ConjunctionId finish; // under which the section is left, or a goal is reached inside it
  bool may_wait;        // the thread may block inside, so the section is entered only if `finish` holds
  bool may_race;        // an access inside it is recorded for races
  LocationId waits_at;  // for deadlocks: the section is attempted here and may be in vain; NO_ID: it is not
  uint64_t key;         // identifies this place of the unrolling
  U32Vector touched;    // the cells that it accesses
  Map reads;            // cell -> the value that is read from outside
} Section;
VECTOR(SectionVector, Section);

typedef struct ActiveLoop {
  uint32_t start, end; // in the nesting order
  bool closed, open;   // in this iteration: constants excluded an exit; an exit was possible
} ActiveLoop;
VECTOR(ActiveLoopVector, ActiveLoop);

// The state at the last visit of a checkpoint, where iterations that change nothing are detected (waiting.c).
typedef struct Snapshot {
  bool valid, alone;
  ConjunctionId guard;
  Values values;
  size_t events; // number of events at that visit
} Snapshot;

typedef struct Unroller {
  const Program *program;
  TermStore *terms;
  const UnrollOptions *options;
  Events *events;
  Budget *budget;
  Account *account;
  LiveVariables live;
  bool frees;             // some step frees memory or ends a lifetime: objects may be dead
  Bitset lives;           // objects whose lives are shared between threads
  bool *guard_needs_load; // per edge
  uint32_t *visits;       // per edge: how often it was unrolled
  uint32_t *local_index;  // per variable: its index in State.values
  CellId *lock_after;     // per location: the lock that every edge into it releases, or NO_ID
  bool *doomed;           // per location: every path from it ends in an error, a cut or a halt
  bool *checkpoint;       // per location: it is the head of a loop, or inside a loop directly after an unlock
  uint32_t cell_count;
  // the thread being unrolled
  ThreadId thread;
  VariableId first_variable;
  uint32_t variable_count; // of the thread
  size_t first_event;      // of the thread
  NestingVector order;
  uint32_t *place;      // per location
  StateVector *pending; // per place
  Snapshot *snapshots;  // per place
  SectionVector sections;
  ActiveLoopVector loops;
  U32Vector written_alone; // shared cells written before the first creation
  // evaluation
  VariableId into;
  Term loaded;
  uint32_t *memo_stamp;
  Term *memo;
  size_t memo_size;
  uint32_t stamp;
  bool stopped; // budget or limit
} Unroller;

static inline uint32_t cell_index(const Unroller *u, CellId cell) { return u->variable_count + cell; }
static inline uint32_t written_index(const Unroller *u, CellId cell) {
  return u->variable_count + u->cell_count + cell;
}
static inline ConjunctionTable *guards_of(Unroller *u) { return &u->events->guards; }

// --- unroll.c ---
Term unroll_evaluate(Unroller *u, const State *state, Term t);      // the variable u->into has the value u->loaded
void unroll_new_evaluation(Unroller *u);                            // forgets results of evaluations in another state
void unroll_arrive(Unroller *u, LocationId location, State *state); // takes ownership of the state's values
// The execution ends here. If that is inside a section, the section may be entered all the same.
void unroll_end_inside(Unroller *u, const State *state);
void unroll_add_goal(Unroller *u, OrderGoalKind kind, const State *state, uint32_t what, bool included);
// `sure`: a thread that stands there can certainly not go on.
void unroll_add_stop(Unroller *u, StopKind kind, ConjunctionId guard, NodeId node, LocationId location, bool sure);

// --- unroll_step.c ---
void unroll_edge(Unroller *u, const State *before, EdgeId edge, ConjunctionId guard);

// --- unroll_races.c ---
// Records the access of a step at `cell`, where `guard` holds, and `reached` as in RaceAccess.
void unroll_note_access(Unroller *u, const State *state, const Step *step, EdgeId edge, NodeId node, CellId cell,
                        ConjunctionId guard, ConjunctionId reached);
// Records that an attempt to lock is supposed to fail, if that is what the step's store means.
void unroll_note_supposition(Unroller *u, const State *state, const Step *step, Term stored);

// --- unroll_memory.c ---
bool cell_is_shared(const Unroller *u, CellId cell);
bool cell_is_external(const Unroller *u, const State *state, CellId cell); // read and written by events
NodeId unroll_new_node(Unroller *u, ConjunctionId guard);
void unroll_begin_section(Unroller *u, State *state, bool may_wait, uint64_t key);
void unroll_end_section(Unroller *u, State *state);
void unroll_end_alone(Unroller *u, State *state);
Term unroll_section_read(Unroller *u, uint32_t section, CellId cell);
// The value of a cell. If the cell is external, adds a read event with this guard to `node`.
Term unroll_read(Unroller *u, State *state, NodeId node, ConjunctionId guard, CellId cell, uint64_t key);
// Stores the value under `condition`, a term. `guard` is the conjunction of the state's guard and the condition.
void unroll_write(Unroller *u, State *state, NodeId node, ConjunctionId guard, Term condition, CellId cell, Term value,
                  Term before);

// --- waiting.c ---
void waiting_prepare(Unroller *u);        // locks and checkpoints of the whole program
void waiting_prepare_thread(Unroller *u); // after the nesting order is known
// Removes from the state the executions that returned to the location without a change since the last visit. Its guard
// may become false.
void waiting_visit(Unroller *u, LocationId location, State *state);

#endif
