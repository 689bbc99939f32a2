// The program model: an XCFA, a set of control-flow automata (one per thread slot) over a shared memory of cells.
//
// Memory. Every object (global, escaped local, heap block, thread-local, thread control block, function) has a fixed
// concrete address in one flat address space, with gaps between objects. So a pointer is a plain bit-vector, and the
// address of anything is a constant term. Objects are cut into cells: scalars that no access ever splits. A byte that
// no access can touch belongs to no cell. A cell's term is the variable that stands for its content in symbolic
// engines. Freed heap memory is never handed out again.
//
// Threads. A thread is a slot: one possible thread instance, with an automaton of its own (calls are inlined), its own
// variables and its own stack objects. All slots exist from the start; slot 0 is main. A slot stays at its entry until
// a CREATE step sets the status field of its control block to THREAD_RUNNING; then its START step can be taken. A
// thread's name in schedules is its path: the creator's path and the number of the slot among the creator's slots.
//
// Variables are private to a thread (named locals whose address is not taken, temporaries, counters of the model).
// Their initial value is zero; an automatic variable of the source is assigned VALUE_INDETERMINATE where its lifetime
// starts.
//
// Edges carry steps; a step happens indivisibly. The parts of a step happen in this order:
//   1. fresh variables (assignments whose value is VALUE_INPUT or VALUE_INDETERMINATE) get any value;
//   2. the access, if it reads, loads from memory into `access.into` (width 8*bytes);
//   3. the guard is evaluated, over the variables as they were before the step except that `into` is already loaded;
//      if it is false, the step cannot be taken;
//   4. the access, if it writes, stores `access.stored` (it may mention `into`);
//   5. the assignments happen in parallel; their right sides are read like the guard.
// The guard and the right sides never mention a variable that the same step makes fresh.
// In single-block form every edge has exactly one step. The large-block pass makes edges of several steps, executed in
// sequence without interruption; an edge can be taken only if all of its steps can.
//
// If no step can be taken from a thread's location, the thread stays there until another thread changes what a guard
// reads. The guards of the edges that leave a location exclude each other, except after a library choice. In some
// states all of them may be false.
//
// Atomic sections. `Location.atomic` marks the locations strictly inside an atomic section. While a thread stands at
// one, only that thread may run. The step that goes to an atomic location enters the section. It can be taken only if
// the thread alone can finish the section from there: it can reach the end of the section, an error, a halt or a cut.
//
// Ownership. The program owns all its vectors, strings (through its interner) and its term store. Ids are indices into
// the vectors. Passes rewrite the program in place.
#ifndef HEDDLE_PROGRAM_PROGRAM_H
#define HEDDLE_PROGRAM_PROGRAM_H

#include "base/map.h"
#include "base/vector.h"
#include "program/check.h"
#include "term/term.h"

#include <assert.h>

typedef uint32_t VariableId, CellId, ObjectId, LocationId, EdgeId, StepId, ThreadId, CutId;
#define NO_ID UINT32_MAX

// A call that was inlined: where it is. In the program's arena.
typedef struct CallSite {
  const char *function, *file; // of the caller; interned, or NULL: unknown
  uint32_t line;
  const struct CallSite *from; // the call of the caller; NULL: none
} CallSite;

typedef struct Position {
  const char *file;     // interned; NULL: unknown
  const char *function; // interned; NULL: unknown
  uint32_t line, column;
  bool library; // inside a library model: `file` and `line` are those of the user's call
  const char
      *model; // interned: the model that the user called, or, not in the library, the undefined function; or NULL
  const CallSite *calls; // the call of `function`, for messages; NULL: a thread begins with it
} Position;

// Are both on one line of one file? Files that are not known are the same.
bool position_is_same_line(const Position *a, const Position *b);

// How reports show a value.
typedef enum Appearance {
  SHOWN_AS_NUMBER, // or an address
  SHOWN_AS_FLOATING,
  SHOWN_AS_TEXT // an array of characters; each character has a part of its own, too
} Appearance;

typedef struct Variable {
  Term term; // VARIABLE term of this variable
  ThreadId thread;
  const char *name; // source name, or a made-up one for temporaries
  Appearance shown;
  bool temporary; // not a variable of the source
  bool pointer;   // a pointer of the source in a program that is asked about leaks: all its assignments are kept
  bool handed;    // a pointer that an undefined function returned
  bool guessed;   // an input that stands for a value which the real program determines: no violation may depend on it
  bool course;    // and whether the execution goes on after it is such a value: all that comes later depends on it
} Variable;

typedef enum Storage {
  STORAGE_GLOBAL,
  STORAGE_CONSTANT, // string literals and constant globals
  STORAGE_STACK,    // escaped local of `owner`
  STORAGE_HEAP,     // allocated by `owner`
  STORAGE_TLS,      // thread-local of `owner`
  STORAGE_CONTROL,  // control block of `owner`
  STORAGE_FUNCTION  // the address of a function; no cells
} Storage;

// The source name of a part of an object, e.g. offset 8 is ".head" or "[1].x".
typedef struct NamedPart {
  uint32_t offset;
  const char *name;
  uint32_t bytes; // 0: not known
  Appearance shown;
} NamedPart;

// X(NAME, text): bounds and gaps of the model. Reaching one makes SAFE impossible.
#define CUT_KINDS(X)                                                                                                   \
  X(THREADS, "thread limit")                                                                                           \
  X(HEAP, "heap limit")                                                                                                \
  X(RECURSION, "recursion limit")                                                                                      \
  X(SIZE, "size limit")                                                                                                \
  X(BLOCK, "block limit")                                                                                              \
  X(ARGUMENTS, "command line limit")                                                                                   \
  X(ENVIRONMENT, "environment limit")                                                                                  \
  X(CALLS, "too large") /* a call that is inlined only when an execution reaches it */                                 \
  X(UNDEFINED, "undefined behaviour")                                                                                  \
  X(CONSTRUCT, "construct not modelled")                                                                               \
  X(INPUT, "input not enumerated")                                                                                     \
  X(UNWINDING, "unwinding limit")                                                                                      \
  X(SEARCH, "search limit")
typedef enum CutKind {
#define X(name, text) CUT_##name,
  CUT_KINDS(X)
#undef X
      CUT_KIND_COUNT
} CutKind;
const char *cut_kind_text(CutKind kind);

// An object that comes from outside the program (an argument of main, for example) may be larger than `Object.size`. Up
// to `more` bytes follow it, at addresses that no other object has; an access that touches one of them is a cut. The
// object may also be smaller: an access behind its first `exact` bytes can be made, and there is a cut beside it.
typedef struct Beyond {
  uint64_t more;
  uint64_t exact; // at most Object.size
  CutKind kind;
  const char *what; // interned: the text of the cut
} Beyond;

typedef struct Object {
  uint64_t address, size;
  Storage storage;
  ThreadId owner;     // NO_ID for globals and functions
  const char *name;   // source name; of a heap block: what it holds, and a number
  const char *origin; // heap blocks: the place that allocates them
  NamedPart *parts;   // in the arena, may be NULL
  uint32_t part_count;
  uint8_t *initial;     // `size` initial bytes, or NULL: all zero, or indeterminate
  bool indeterminate;   // holds any value until written (stack, malloc)
  bool dynamic;         // lives from an ALLOCATE step to a FREE or END step
  bool own;             // a heap block that the library keeps for itself: no leak if it is not freed
  bool sized;           // dynamic; its ALLOCATE step decides how many of its `size` bytes it has
  const Beyond *beyond; // in the arena; NULL: the object is as large as `size` says
  CellId first_cell;    // cells of an object are consecutive and ordered by address
  uint32_t cell_count;  // 0 before the layout pass
} Object;

typedef struct Cell {
  uint64_t address;
  uint32_t bytes; // 1, 2, 4, 8, 16
  ObjectId object;
  Term term;        // variable for symbolic engines, width 8*bytes
  Term initial;     // constant, or TERM_NONE: indeterminate
  const char *name; // e.g. "queue.head", "a[3]", "main::x"
  bool written;     // some access may write it
  bool shared;      // accesses of two threads may touch it, one of them writing
} Cell;

// Offsets in a thread's control block (lib/heddle.h) and its size.
enum {
  CONTROL_STATUS = 0,
  CONTROL_ARGUMENT = 8,
  CONTROL_RESULT = 16,
  CONTROL_DETACHED = 24,
  CONTROL_JOINED = 32,
  CONTROL_ENDED = 40,
  CONTROL_ACCEPTED = 48,
  CONTROL_PENDING = 56,
  CONTROL_CANCEL = 64,
  CONTROL_SIZE = 72
};
enum { THREAD_UNBORN = 0, THREAD_RUNNING = 1, THREAD_FINISHED = 2 };

typedef struct Assignment {
  VariableId variable;
  Term value; // or VALUE_INPUT, VALUE_INDETERMINATE
} Assignment;
#define VALUE_INPUT ((Term)UINT32_MAX)             // an input: any value, chosen here
#define VALUE_INDETERMINATE ((Term)UINT32_MAX - 1) // an uninitialised automatic variable: any value, at its first read
static inline bool value_is_fresh(Term value) { return value >= VALUE_INDETERMINATE; }

// A set of cells that an access may touch: a range in Program.cell_lists, sorted. The direction is may-add.
typedef struct CellSet {
  uint32_t first, count;
} CellSet;

typedef struct Access {
  Term address; // pointer width; TERM_NONE: the step has no access
  uint8_t bytes;
  bool reads, writes;
  bool synchronises;      // atomic operation or library model: orders threads, does not race
  bool unordered;         // `synchronises` is set too: a read of such an object that orders nothing
  bool doubtful;          // an undefined function may make it or not: a race with it is no violation, but excludes SAFE
  bool is_volatile;       // an ordinary access of a volatile object, for messages
  bool innocent;          // volatile, and the user said that such accesses do not race; it orders nothing
  bool wants_initialised; // reads memory that must have been written: see UNINITIALISED_MARK
  bool to_the_end;        // makes the rest of its object indeterminate: may reach behind the bytes that a sized one has
  bool invalid;           // points-to found no object: always an invalid dereference
  VariableId into;        // NO_ID if it does not read
  Term stored;            // TERM_NONE if it does not write; VALUE_INDETERMINATE: the cells become indeterminate again
  CellSet cells;          // filled by the layout pass; one cell, or consecutive byte cells per target
} Access;

// X(NAME, name in output): what a step is beyond its guard, access and assignments.
#define STEP_KINDS(X)                                                                                                  \
  X(PLAIN, "")                                                                                                         \
  X(ASSUME, "assume") /* a false guard disables the thread for ever: never a deadlock */                               \
  X(WAIT, "wait")     /* a false guard blocks: await, join, condition */                                               \
  X(LOCK, "lock")     /* reads 0, writes the owner's number; a false guard blocks */                                   \
  X(TRYLOCK, "trylock")                                                                                                \
  X(UNLOCK, "unlock") /* writes 0 */                                                                                   \
  X(START, "start")   /* first step of every thread but main; reads its own status */                                  \
  X(CREATE, "create") /* writes THREAD_RUNNING to the status of thread `target` */                                     \
  X(EXIT, "exit")     /* writes THREAD_FINISHED to the own status; leads to the final location */                      \
  X(AGAIN, "again")   /* a thread that has ended waits until its slot is used again: never a deadlock */               \
  X(ATOMIC_BEGIN, "atomic begin")                                                                                      \
  X(ATOMIC_END, "atomic end")                                                                                          \
  X(ALLOCATE,                                                                                                          \
    "allocate")       /* `target`: the object handed out; a stack object may be born again; `operand`: see `sized` */  \
  X(END, "end")       /* the lifetime of the stack object `target` ends */                                             \
  X(FREE, "free")     /* `operand`: the pointer */                                                                     \
  X(DIVIDE, "divide") /* `operand`: a divisor; zero is an error or ends the execution */                               \
  X(CHECK, "check")   /* `operand`: does the property of `check` get violated here? never blocks: program/check.h */   \
  X(ERROR, "error")   /* assertion or reach_error */                                                                   \
  X(FAULT, "fault") /* only in views (passes/faults.h): an error, taken if and only if the access is invalid, or,    \
                         without an access, if the FREE of `operand` is; nothing is loaded or stored */ \
  X(HALT, "halt")   /* the process ends */                                                                             \
  X(CUT, "cut")     /* the model ends here: `target` is a CutId */                                                     \
  X(COPY, "copy")   /* block operations, only before the layout pass: see BlockOperation */                            \
  X(FILL, "fill")                                                                                                      \
  X(READ, "read")                                                                                                      \
  X(HAVOC, "havoc")

typedef enum StepKind {
#define X(name, text) STEP_##name,
  STEP_KINDS(X)
#undef X
      STEP_KIND_COUNT
} StepKind;
const char *step_kind_name(StepKind kind);

// COPY: `length` bytes from `source` to `destination`, cell by cell; FILL: `length` bytes of the byte `source`,
// or of any values if it is TERM_NONE;
// READ: `length` bytes at `destination` are read, and their values are not used;
// HAVOC: the cells from `destination` on (`length` bytes; 0: to the end of the object) become indeterminate, by stores
// of VALUE_INDETERMINATE. The layout pass expands these to single accesses. A HAVOC by a function that is not known has
// a `callback`: where a function's address is in reach of the destination, it is that cut instead.
typedef struct BlockOperation {
  Term destination, source;
  uint64_t length;
  bool synchronises, doubtful, is_volatile, innocent; // as in Access
  CutId callback;                                     // of a HAVOC; NO_ID: none
} BlockOperation;

typedef struct Step {
  StepKind kind;
  Term guard; // width 1, never TERM_NONE
  Access access;
  Assignment *assignments; // in the program's arena
  uint32_t assignment_count;
  uint32_t target;            // ThreadId (CREATE), CutId (CUT; CHECK of tracking), ObjectId (ALLOCATE, END), the signal
                              // that an ATOMIC_BEGIN delivers, else NO_ID
  Term operand;               // FREE, DIVIDE, CHECK; ALLOCATE of a sized object: its bytes, at most the object's size
  BlockOperation *block;      // COPY, FILL, READ, HAVOC; else NULL
  const PropertyCheck *check; // CHECK, in the arena; else NULL
  Position position;
  bool excused;  // what happens here does not violate the property that is asked: see verdict/suppress.h
  bool replaced; // a call of a replaced function begins here (front/front_slice.h), Position.model: the step is kept
  bool fault;    // only in views: a failure of this step is an error (passes/faults.h)
  StepId origin; // the step of the unreduced program that this one came from (itself there)
} Step;

typedef struct Edge {
  LocationId from, to;
  StepId first_step; // steps of an edge are consecutive in Program.steps
  uint32_t step_count;
  bool back; // closes a cycle of its automaton
} Edge;

typedef struct Location {
  ThreadId thread;
  bool atomic;       // strictly inside an atomic section
  bool final;        // the thread has finished; no edge leaves it
  bool loop_head;    // target of a back edge
  uint64_t observed; // bit k: observation k holds while the thread stands here
  Position position;
  uint32_t first_out, out_count; // range in Program.out_edges, valid after program_index
  uint32_t first_in, in_count;   // range in Program.in_edges
} Location;

typedef struct Thread {
  const char *routine; // name of the C function
  const char *path;    // "0" for main, "0.1" for its second created thread, ...
  const char *label;   // what reports call it: its path, or its number (program_label_threads)
  ThreadId parent;     // NO_ID for main
  Position created_at;
  LocationId entry, final;
  ObjectId control;
} Thread;

// The handler of a signal: code of a thread that may run at any point of it while the rest of the thread stands still.
// Its locations belong to the thread. They are reached from `entry`, to which no edge leads. The pass "interrupts" puts
// copies of them where they can matter (interrupts.c); after it there are no interruptions. The variables and stack
// objects of an interruption are its own.
typedef struct Interruption {
  ThreadId thread;
  LocationId entry; // the step that leaves it enters a section that accepts the signal, or does not
  LocationId leave; // the section that leaves it undoes what accepting the signal did; NO_ID: the handler never returns
  LocationId exit;  // the interrupted thread continues from here; NO_ID: the handler never returns
  uint32_t signal;  // its number; it does not interrupt its own handler; 0: any signal
  bool outside;     // the environment may send the signal at any time; else only the program sends it
} Interruption;

typedef struct Cut {
  CutKind kind;
  const char *what; // interned, e.g. "inline assembly"
  Position position;
  // Of CUT_CALLS: the names of the call and of larger calls around it that no round has asked for yet. A name stays the
  // same whatever else is inlined. In the arena.
  const uint64_t *calls;
  uint32_t call_count;
} Cut;

// The initial value of indeterminate memory that only accesses with `wants_initialised` read (the states of mutexes and
// semaphores). No initialised state has this value, so the library models can recognise it. The layout pass sets it.
#define UNINITIALISED_MARK 0xdeadbeefu

// X(NAME, text): what an answer rests on.
#define ASSUMPTIONS(X)                                                                                                 \
  X(SEQUENTIAL_CONSISTENCY, "memory is sequentially consistent")                                                       \
  X(MALLOC_SUCCEEDS, "malloc and pthread_create succeed")                                                              \
  X(NO_REUSE, "freed memory is not handed out again")                                                                  \
  X(UNDEFINED_FUNCTION, "an undefined function only returns a value and writes through its pointer arguments")         \
  X(ASSEMBLY, "an inline assembly that is not understood only changes its outputs, to any value")                      \
  X(VOLATILE, "accesses that are ordered only by what volatile objects hold do not race")                              \
  X(NO_UNDEFINED, "execution ends at an invalid dereference or a division by zero")                                    \
  X(WRAPPING, "signed overflow wraps")                                                                                 \
  X(PROGRAM_NAME, "argv[0] is the name of the program's first file, without its suffix")                               \
  X(LEFT_OUT, "what the model leaves out does not happen")                                                             \
  X(NO_SPURIOUS_WAKEUPS, "a thread that waits for a condition is woken by signals only")                               \
  X(SIZE_ELSEWHERE, "an array declared without its length is as long as the accesses to it need")                      \
  X(ADDRESSES, "objects lie at the addresses that the model gives them")                                               \
  X(SUPPRESSED, "what is suppressed is no violation, and accesses that only suppressed ones order do not race")        \
  X(FAIR, "no thread that can always run is passed over for ever")                                                     \
  X(ASSERTIONS, "assertions that are compiled out (NDEBUG) hold")                                                      \
  X(SURVEY, "what a survey of the whole program takes for granted") /* each a reliance */
typedef enum Assumption {
#define X(name, text) ASSUME_##name,
  ASSUMPTIONS(X)
#undef X
      ASSUMPTION_COUNT
} Assumption;
const char *assumption_text(Assumption assumption);

// The function or place that an assumption concerns. Each pair (assumption, what) occurs once, with its first place.
typedef struct Reliance {
  Assumption assumption;
  const char *what; // interned, e.g. the name of an undefined function
  Position position;
  const char *by; // interned, of ASSUME_SUPPRESSED: what suppresses it, e.g. "a comment at a.c:11"; else NULL
  bool external;  // and that is not in the source
} Reliance;
enum { MOST_RELIANCES = 1000 }; // of a program; later ones are left out, their assumptions stay

// Joint edges ask about several threads at once; only views have them (passes/joint_edges.h). Their ids follow those of
// all other edges, `out_edges` does not contain them, and each leads to the location behind all others that belongs to
// its thread. A race edge is a step of two threads: its own, and the one that stands at `partner`.
typedef enum JointKind {
  JOINT_RACE,      // two accesses that race, one after the other; ends in an error or a cut
  JOINT_WAIT,      // the thread is blocked here
  JOINT_LAST_WAIT, // the same, and it is the last thread that is asked: an error
  JOINT_IDLE       // the thread has ended and is not used again here
} JointKind;

typedef struct JointEdge {
  JointKind kind;
  LocationId partner;            // of a race: where the other thread stands; else: the edge's source, unreduced
  uint32_t own_first, own_count; // of a race: which of the edge's steps are those of its own thread
  StepId raced[2];               // of a race: the two accesses, unreduced
} JointEdge;

// A label of the source, with the lines of the code that is executed behind it, up to the first branch. Only the
// prepared program shows which of these lines have steps.
enum { MOST_LABEL_LINES = 8 };
typedef struct Label {
  const char *name, *function;      // interned
  uint32_t lines[MOST_LABEL_LINES]; // in order, each once; 0 after the last
  uint32_t crowded;                 // its own line, if other code stands there before it; else 0
} Label;

VECTOR(LabelVector, Label);
VECTOR(VariableVector, Variable);
VECTOR(ObjectVector, Object);
VECTOR(CellVector, Cell);
VECTOR(StepVector, Step);
VECTOR(EdgeVector, Edge);
VECTOR(LocationVector, Location);
VECTOR(ThreadVector, Thread);
VECTOR(CutVector, Cut);
VECTOR(InterruptionVector, Interruption);
VECTOR(RelianceVector, Reliance);
VECTOR(JointEdgeVector, JointEdge);

struct SettledFinding; // settled.h
VECTOR(SettledVector, const struct SettledFinding *);

enum { MOST_OBSERVATIONS = 64 };

typedef struct Program {
  TermStore *terms;
  Interner strings;
  Arena arena;            // assignments, block operations, initial bytes
  unsigned pointer_width; // 32 or 64
  VariableVector variables;
  ObjectVector objects; // ordered by address
  CellVector cells;     // ordered by address
  StepVector steps;
  EdgeVector edges;
  LocationVector locations;
  ThreadVector threads;
  CutVector cuts;
  InterruptionVector interrupts; // before the pass of this name
  bool untracked;                // memory may hold pointers that the model does not know (facts/lost_blocks.h)
  bool leaks_are_cuts;           // valid-memtrack: in views a block that is left is a cut, not an error
  bool waiting_counts;           // the property observes that a thread waits for ever (deadlocks, formulas)
  U32Vector cell_lists;          // ranges of CellSet; after layout it begins with all cells in order
  U32Vector out_edges, in_edges;
  U32Vector variable_of; // term variable index -> VariableId or NO_ID
  U32Vector cell_of;     // term variable index -> CellId or NO_ID
  // The observations of formulas, at most MOST_OBSERVATIONS: conditions over cells, or TERM_NONE for a place
  // (Location.observed).
  TermVector observations;
  Term unforeseen;    // an observation reads through an unforeseen pointer where this holds; TERM_NONE: nowhere
  LabelVector labels; // each once
  // Objects of one int, one for each thread that attempts to synchronise. It holds 0, or CutId + 1 of an attempt that
  // was supposed to fail. An execution with such an attempt is none of the program: a race in it is reported as that
  // cut.
  U32Vector supposed;
  SettledVector settled;  // findings that do not count any more, in the arena
  JointEdgeVector joints; // those of the last edges of a view
  LocationId joint_ends;  // if there are joint edges: where those of thread 0 lead; the other threads' ends follow
  const struct Program *joint_whole; // and the unreduced program
  const char *joints_missing;        // some question about several threads is not asked, and why; NULL: all are
  // The next three are set before passes_prepare.
  bool every_access;        // accesses whose value is not used count, too (races, memory errors)
  bool whole_blocks;        // only races count: a thread that sees a block operation half done races with it
  bool waits_begin_blocks;  // only in views: a step that may wait is the first of its block (deadlocks)
  bool infinite;            // the property is a formula: it observes that the process ends
  uint32_t assumptions;     // bits 1 << Assumption
  RelianceVector reliances; // what they concern, where that is known
  uint64_t next_address;    // end of the last object
  bool too_large;           // the limit on edges was met: code was left out
  uint64_t fingerprint;     // hash of the unreduced program, part of every schedule; set by passes_prepare
  Account *account;
} Program;

Program *program_new(unsigned pointer_width, Account *account);
void program_free(Program *program);

// --- building ---
// Entry, final location and control block are NO_ID until the caller sets them.
ThreadId program_add_thread(Program *p, const char *routine, ThreadId parent, unsigned ordinal, Position created_at);
// Makes reports call these threads 1, 2, ... instead of by their paths. To be called once.
void program_label_threads(Program *p, const ThreadId *created, size_t count);
VariableId program_add_variable(Program *p, ThreadId thread, unsigned width, const char *name, bool temporary);
// Objects are laid out in the order they are added, aligned to OBJECT_ALIGNMENT or to a larger power of two, with a gap
// of at least 32 bytes between them. NO_ID: the address space has no room for it (a smaller one may still fit).
enum { OBJECT_ALIGNMENT = 16 };
ObjectId program_add_object(Program *p, uint64_t size, Storage storage, ThreadId owner, const char *name);
ObjectId program_add_aligned_object(Program *p, uint64_t size, uint64_t alignment, Storage storage, ThreadId owner,
                                    const char *name);
// Says that the object that was added last may be larger or smaller than its size; `beyond` is copied to the arena.
void program_extend_object(Program *p, ObjectId object, const Beyond *beyond);
LocationId program_add_location(Program *p, ThreadId thread, Position position);
// A single-step edge; the step's assignments are copied to the arena.
EdgeId program_add_edge(Program *p, LocationId from, LocationId to, const Step *step);
CutId program_add_cut(Program *p, CutKind kind, const char *what, Position position);
// The answer rests on `assumption`, because of `what` at `position`.
void program_rely(Program *p, Assumption assumption, const char *what, Position position);
// A violation of `what`, a property, does not count at `position`, because of `by`: ASSUME_SUPPRESSED.
void program_suppress(Program *p, const char *what, Position position, const char *by, bool external);
Step step_plain(const Program *p, Position position); // guard true, nothing else
// For the layout pass: cells are added in the order of their addresses. `initial` may be TERM_NONE.
CellId program_add_cell(Program *p, ObjectId object, uint64_t address, uint32_t bytes, Term initial, const char *name);
// Rebuilds out_edges and in_edges after edges changed.
void program_index(Program *p);

// --- looking up ---
// The object that contains `address` (or whose end it is), or NO_ID.
ObjectId program_object_at(const Program *p, uint64_t address);
// The cell that starts at `address`, or NO_ID. After layout.
CellId program_cell_at(const Program *p, uint64_t address);
// The cells of the heap block that `pointer` is the start of; false: there is no such block, or it has no cells.
bool program_block_cells(const Program *p, uint64_t pointer, CellId *first, uint32_t *count);
static inline Term variable_term(const Program *p, VariableId v) { return p->variables.data[v].term; }
VariableId program_variable_of_term(const Program *p, Term variable); // NO_ID if it is not a thread variable
CellId program_cell_of_term(const Program *p, Term variable);         // NO_ID if it is not a cell's

// --- walking ---
// What these return points into the program's vectors: it is valid until the vector grows or is indexed again.

// The steps of an edge, in the order in which they are taken.
static inline const Step *edge_steps(const Program *p, EdgeId edge, uint32_t *count) {
  assert(edge < p->edges.count);
  const Edge *e = &p->edges.data[edge];
  assert((uint64_t)e->first_step + e->step_count <= p->steps.count);
  *count = e->step_count;
  return p->steps.data + e->first_step;
}

// The step number `i` of an edge. The edge may be a copy of the program's.
static inline const Step *edge_step(const Program *p, const Edge *edge, uint32_t i) {
  assert(i < edge->step_count && (uint64_t)edge->first_step + edge->step_count <= p->steps.count);
  return &p->steps.data[edge->first_step + i];
}

// The first step of an edge; in single-block form it is the only one.
static inline const Step *edge_first_step(const Program *p, EdgeId edge) {
  uint32_t count;
  const Step *steps = edge_steps(p, edge, &count);
  assert(count > 0);
  return steps;
}

// The edges that leave a location, in the order of their ids. After program_index.
static inline const EdgeId *location_edges(const Program *p, LocationId location, uint32_t *count) {
  assert(location < p->locations.count);
  const Location *l = &p->locations.data[location];
  assert((uint64_t)l->first_out + l->out_count <= p->out_edges.count);
  *count = l->out_count;
  return p->out_edges.data + l->first_out;
}

// The step of an edge that has one, to change it.
static inline Step *edge_only_step(Program *p, EdgeId edge) {
  assert(edge < p->edges.count && p->edges.data[edge].step_count == 1);
  return &p->steps.data[p->edges.data[edge].first_step];
}

// The edge number `i` of those that leave a location, and of those that lead to it, where the location is at hand.
static inline EdgeId location_out_edge(const Program *p, const Location *location, uint32_t i) {
  assert(i < location->out_count && (uint64_t)location->first_out + location->out_count <= p->out_edges.count);
  return p->out_edges.data[location->first_out + i];
}
static inline EdgeId location_in_edge(const Program *p, const Location *location, uint32_t i) {
  assert(i < location->in_count && (uint64_t)location->first_in + location->in_count <= p->in_edges.count);
  return p->in_edges.data[location->first_in + i];
}

// The edge number `i` of those that leave a location.
static inline const Edge *location_edge(const Program *p, LocationId location, uint32_t i) {
  uint32_t count;
  const EdgeId *edges = location_edges(p, location, &count);
  assert(i < count);
  return &p->edges.data[edges[i]];
}

// The edges that lead to a location, in the order of their ids. After program_index.
static inline const EdgeId *location_edges_in(const Program *p, LocationId location, uint32_t *count) {
  assert(location < p->locations.count);
  const Location *l = &p->locations.data[location];
  assert((uint64_t)l->first_in + l->in_count <= p->in_edges.count);
  *count = l->in_count;
  return p->in_edges.data + l->first_in;
}

// The `set.count` cells of a set, sorted.
static inline const CellId *cell_set_cells(const Program *p, CellSet set) {
  assert((uint64_t)set.first + set.count <= p->cell_lists.count);
  return p->cell_lists.data + set.first;
}

// Where a thread is after its creation. Its first step (STEP_START) only waits until it is created; `start` is the edge
// of that step, NO_ID if there is none.
LocationId thread_beginning(const Program *p, ThreadId thread, EdgeId *start);

// The cells that an access may touch, sorted. After the layout pass.
static inline const CellId *access_cells(const Program *p, const Access *access, uint32_t *count) {
  *count = access->cells.count;
  return cell_set_cells(p, access->cells);
}

// The cell number `i` of those that an access may touch. After the layout pass.
static inline CellId access_cell(const Program *p, const Access *access, uint32_t i) {
  assert(i < access->cells.count);
  return cell_set_cells(p, access->cells)[i];
}

// The same number for the same set; sets are equal if these are.
static inline uint64_t cell_set_key(CellSet set) { return (uint64_t)set.first << 32 | set.count; }

// Does a false guard of the step block its thread, so that the thread may be part of a deadlock?
static inline bool step_kind_waits(StepKind kind) { return kind == STEP_WAIT || kind == STEP_LOCK; }
static inline bool step_waits(const Step *step) { return step_kind_waits(step->kind); }
// Does a false guard of the step block its thread at all? An AGAIN step does, too, and is never part of a deadlock.
static inline bool step_may_block(const Step *step) { return step_waits(step) || step->kind == STEP_AGAIN; }
// Does taking the step violate what is asked of the view?
static inline bool step_is_error(const Step *step) {
  return step->kind == STEP_ERROR || (step->kind == STEP_FAULT && step->fault);
}

// The joint edge behind an edge; NULL: it is an edge like others.
static inline const JointEdge *program_joint(const Program *p, EdgeId edge) {
  size_t first = p->edges.count - p->joints.count;
  return edge < first ? NULL : JointEdgeVector_at(&p->joints, edge - first);
}
static inline bool program_is_joint_end(const Program *p, LocationId location) {
  return p->joints.count > 0 && location >= p->joint_ends;
}

// Checks every invariant stated above; aborts with a message in debug builds. For tests: returns an error text or NULL.
const char *program_validate(const Program *p);

// A copy of the automata (locations, edges, steps, cell lists) sharing the term store, strings and memory layout, so
// that passes may reduce one and keep the other. It must not outlive the program. Passes replace arrays of assignments
// and never write into them, so that views can share them. Free with program_free_view.
Program *program_view(Program *p);
void program_free_view(Program *view);

#endif
