// Events: what the threads of a program, unrolled, may do to shared memory.
//
// A *node* is what happens indivisibly: one access, one read-modify-write, or a whole atomic section. Nodes of one
// thread are ordered by their position. Node 0 is the initial state; it belongs to no thread, is always executed and
// comes first. A node holds *events*: reads and writes of single cells, each under a guard (an access through a pointer
// has one event per cell that it may hit, with the address equality in the guard). All reads of a node come before
// its writes, a node has at most one executed read and one executed write per cell.
//
// Executions are sets of thread prefixes: a node's guard says that its thread gets past it. A thread may stop at any
// place where it could wait, and stops where an assumption fails, a bound is met or the process ends.
//
// A *link* (paper: read-write link) is the possibility that a read sees a write. Its literal implies both guards and
// that the values are equal.
//
// A *spawn* orders a creating node before the first node of the thread it creates.
//
// A *goal* is a place whose reachability is asked: an error, a bound of the unrolling, a cut of the model, or an access
// through a pointer into an object that the static facts had not foreseen (then nothing can be said of what follows).
#ifndef HEDDLE_ORDER_EVENTS_H
#define HEDDLE_ORDER_EVENTS_H

#include "program/program.h"
#include "term/conjunction.h"

typedef uint32_t NodeId, EventId, LinkId;

typedef struct Node {
  ThreadId thread;   // NO_ID: the initial state
  uint32_t position; // among the nodes of its thread
  ConjunctionId guard;
  EventId first_event;
  uint32_t event_count;     // events of a node are consecutive
  uint32_t last_occurrence; // of its thread: when the node has happened, all up to this one have
} Node;

typedef struct Event {
  NodeId node;
  CellId cell; // cells of the program, then the life of each object (program/facts/life.h)
  ConjunctionId guard;
  bool write;
  Term value;          // what is written, or the variable that stands for what is read
  Term needed;         // reads: a condition on the value without which the node is not executed; or TERM_NONE
  Term before;         // writes: what the same node reads there, or TERM_NONE
  bool assumed;        // reads: the value is a constant that all writes it can see are expected to have
  uint64_t key;        // reads: names this place of the unrolling
  uint32_t first_link; // reads: its links are consecutive
  uint32_t link_count;
} Event;

typedef struct Link {
  EventId write, read;
  Term literal;
} Link;

typedef struct Spawn {
  NodeId creator;
  ThreadId thread;
  ConjunctionId guard; // of the creation; every guard of the thread implies it
} Spawn;

typedef enum GoalKind { GOAL_ERROR, GOAL_UNWINDING, GOAL_CUT, GOAL_UNFORESEEN } GoalKind;
typedef struct Goal {
  GoalKind kind;
  ThreadId thread;
  ConjunctionId guard;
  uint32_t occurrence; // the occurrences of the thread up to here lead to it (GOAL_ERROR: including this one)
  uint32_t what;       // GOAL_CUT: CutId; GOAL_UNWINDING: LocationId of the loop head; GOAL_UNFORESEEN: StepId
} Goal;

// One edge of the program, taken at one place of the unrolling: the log from which a schedule is read off.
typedef struct Occurrence {
  EdgeId edge;
  ConjunctionId taken;
  NodeId node;                       // where its access happens, or NO_ID
  Term address;                      // of its access, or TERM_NONE
  Term loaded;                       // what its access reads, or TERM_NONE
  Term forgotten;                    // the value behind a store of VALUE_INDETERMINATE, or TERM_NONE
  uint32_t first_fresh, fresh_count; // range in Events.fresh: values of fresh variables, in the order of assignments
} Occurrence;

VECTOR(NodeVector, Node);
VECTOR(EventVector, Event);
VECTOR(LinkVector, Link);
VECTOR(SpawnVector, Spawn);
VECTOR(GoalVector, Goal);
VECTOR(OccurrenceVector, Occurrence);
VECTOR(NodeIdVector, NodeId);

typedef struct ThreadEvents {
  NodeIdVector nodes;           // in program order
  OccurrenceVector occurrences; // in an order that extends that of every path
} ThreadEvents;

typedef struct Events {
  const Program *program;
  ConjunctionTable guards;
  NodeVector nodes;
  EventVector events;
  LinkVector links;
  SpawnVector spawns;
  GoalVector goals;
  TermVector facts; // conditions that hold in every execution (a waiting node is passed only if ...)
  TermVector fresh;
  Term *initial; // per cell: its initial value (a variable if indeterminate), or TERM_NONE: never asked for
  ThreadEvents *threads;
  size_t thread_count;
  Account *account;
} Events;

void events_init(Events *events, const Program *program, Account *account);
void events_free(Events *events);
void events_group(Events *events); // makes the events of each node consecutive, after unrolling
unsigned events_cell_width(const Program *p, CellId cell);

// Number of cells with the lives of objects.
static inline uint32_t events_cell_count(const Program *p) { return (uint32_t)(p->cells.count + p->objects.count); }
Term events_initial(Events *events, CellId cell);
static inline CellId alive_cell(const Program *p, ObjectId object) { return (CellId)p->cells.count + object; }

#endif
