// Events: what the threads of an unrolled program may do to shared memory.
//
// A *node* is what happens indivisibly: one access, one read-modify-write, or a whole atomic section. The nodes of one
// thread are ordered by their position. Node 0 is the initial state. It belongs to no thread, is always executed and
// comes first. A node contains *events*: reads and writes of single cells, each under a guard. An access through a
// pointer has one event for each cell that it may access, with the address equality in the guard. All reads of a node
// come before its writes. For each cell, at most one read and one write of a node are executed.
//
// An execution is a set of prefixes of threads: the guard of a node says that its thread gets past the node. A thread
// may stop wherever it may wait. It stops where an assumption fails, where a bound is met and where the process ends.
//
// A *link* (paper: read-write link) is the possibility that a read sees a write. Its literal implies both guards and
// the equality of both values.
//
// A *spawn* orders a creating node before the first node of the created thread.
//
// A *goal* is a place whose reachability is asked for: an error, a bound of the unrolling, a cut of the model, or an
// access through a pointer into an object that the static facts had not foreseen (then nothing is known about what
// follows).
#ifndef HEDDLE_ORDER_UNROLL_EVENTS_H
#define HEDDLE_ORDER_UNROLL_EVENTS_H

#include "program/program.h"
#include "term/conjunction.h"

typedef uint32_t NodeId, EventId, LinkId;

typedef struct Node {
  ThreadId thread;   // NO_ID: the initial state
  uint32_t position; // among the nodes of its thread
  ConjunctionId guard;
  EventId first_event;
  uint32_t event_count;     // events of a node are consecutive
  uint32_t last_occurrence; // of its thread: once the node has happened, all occurrences up to this one have
} Node;

typedef struct Event {
  NodeId node;
  CellId cell; // cells of the program, then the life of each object (program/facts/life.h)
  ConjunctionId guard;
  bool write;
  Term value;          // what is written, or the variable that stands for what is read
  Term needed;         // reads: the node is executed only if the value satisfies this condition; or TERM_NONE
  Term before;         // writes: what the same node reads there, or TERM_NONE
  bool assumed;        // reads: the value is a constant, on the assumption that all writes it may see have this value
  uint64_t key;        // reads: identifies this place of the unrolling
  uint32_t first_link; // reads: its links are consecutive
  uint32_t link_count;
} Event;

typedef struct EventLink {
  EventId write, read;
  Term literal;
} EventLink;

typedef struct Spawn {
  NodeId creator;
  ThreadId thread;
  ConjunctionId guard; // of the creation; every guard of the thread implies it
} Spawn;

typedef enum OrderGoalKind {
  GOAL_ERROR,
  GOAL_UNWINDING,
  GOAL_CUT,
  GOAL_UNFORESEEN,
  GOAL_DEADLOCK, // every thread stands still, and one waits (deadlock_goal.h)
  GOAL_RACE,     // two accesses that race happen next to each other (race_goals.h)
  GOAL_DOUBT     // the same, but an undefined function may make one of the accesses, or not
} OrderGoalKind;
typedef struct Goal {
  OrderGoalKind kind;
  ThreadId thread;     // NO_ID for GOAL_DEADLOCK
  ConjunctionId guard; // of a race: includes a variable of its own, which says that this goal is the one looked for
  uint32_t occurrence; // the occurrences of the thread up to here lead to it (GOAL_ERROR: including this one)
  uint32_t what;       // GOAL_CUT: CutId; GOAL_UNWINDING: LocationId of the loop head; else StepId
  // GOAL_RACE, GOAL_DOUBT: the nodes of the two accesses; `thread` is that of the second one.
  NodeId first_node, second_node;
  StepId steps[2]; // GOAL_ERROR: the step that fails; GOAL_RACE, GOAL_DOUBT: those of the accesses
  ObjectId object; // GOAL_RACE, GOAL_DOUBT: on which they race
  bool in_section; // GOAL_ERROR: the execution ends inside an atomic section
  bool settled;    // it is not asked for any more (settle.h)
} Goal;

static inline bool goal_is_race(OrderGoalKind kind) { return kind == GOAL_RACE || kind == GOAL_DOUBT; }

// One edge of the program, taken at one place of the unrolling. Schedules are made from the lists of occurrences.
typedef struct Occurrence {
  EdgeId edge;
  ConjunctionId taken;
  NodeId node;                       // where its access happens, or NO_ID
  Term address;                      // of its access, or TERM_NONE
  Term loaded;                       // what its access reads, or TERM_NONE
  Term forgotten;                    // the value that a store of VALUE_INDETERMINATE leaves behind, or TERM_NONE
  uint32_t first_fresh, fresh_count; // range in Events.fresh: values of fresh variables, in the order of assignments
} Occurrence;

// An access that may race, where an execution makes it. Only for races (UnrollOptions.races).
typedef struct RaceAccess {
  NodeId node;
  CellId cell;           // a cell of the program, or the life of an object: FREE writes it
  ConjunctionId guard;   // the access is made
  ConjunctionId reached; // of a FREE: the thread comes to it, even if the block has been freed; else as `guard`
  StepId step;
  EdgeId edge;
  uint32_t occurrence;
  bool section; // inside an atomic section
  bool writes, synchronises, doubtful, frees;
} RaceAccess;

// A place at which a thread stands still for good if no other thread goes on. Only for deadlocks
// (UnrollOptions.deadlocks).
typedef enum StopKind {
  STOP_FINISHED, // the thread has finished, or waits for its slot to be used again
  STOP_WAITS     // it waits
} StopKind;
typedef struct ThreadStop {
  StopKind kind;
  ThreadId thread;
  ConjunctionId guard;
  NodeId node;         // what it reads while it waits; NO_ID: nothing that other threads could change
  LocationId location; // where it stands
} ThreadStop;

// What may be in a model without being in an execution: an attempt to lock that is supposed to fail (Program.supposed),
// or a thread that stands at a stop that may be none.
typedef struct Supposition {
  ConjunctionId guard;
  CutId cut; // NO_ID: of a stop
} Supposition;

VECTOR(RaceAccessVector, RaceAccess);
VECTOR(SuppositionVector, Supposition);

// A section that its thread enters and never leaves, because the execution ends inside it. What other threads do after
// it in the formula is in no execution.
typedef struct EndedSection {
  NodeId node;
  ConjunctionId guard;
} EndedSection;
VECTOR(EndedSectionVector, EndedSection);
VECTOR(ThreadStopVector, ThreadStop);
VECTOR(NodeVector, Node);
VECTOR(EventVector, Event);
VECTOR(LinkVector, EventLink);
VECTOR(SpawnVector, Spawn);
VECTOR(GoalVector, Goal);
VECTOR(OccurrenceVector, Occurrence);
VECTOR(NodeIdVector, NodeId);

typedef struct ThreadEvents {
  NodeIdVector nodes;           // in program order
  OccurrenceVector occurrences; // in an order that extends the order of every path
} ThreadEvents;

typedef struct Events {
  const Program *program;
  ConjunctionTable guards;
  NodeVector nodes;
  EventVector events;
  LinkVector links;
  SpawnVector spawns;
  GoalVector goals;
  RaceAccessVector accesses;
  SuppositionVector suppositions;
  EndedSectionVector ended_sections;
  ThreadStopVector stops;
  TermVector facts; // conditions that hold in every execution (a waiting node is passed only if ...)
  TermVector fresh;
  Term *initial; // per cell: its initial value (a variable if indeterminate), or TERM_NONE: not needed so far
  ThreadEvents *threads;
  size_t thread_count;
  Account *account;
} Events;

void events_init(Events *events, const Program *program, Account *account);
void events_free(Events *events);
void events_group(Events *events); // makes the events of each node consecutive, after unrolling
unsigned events_cell_width(const Program *p, CellId cell);

// Number of cells, including one cell for the life of each object.
static inline uint32_t events_cell_count(const Program *p) { return (uint32_t)(p->cells.count + p->objects.count); }
Term events_initial(Events *events, CellId cell);
static inline CellId alive_cell(const Program *p, ObjectId object) { return (CellId)p->cells.count + object; }

#endif
