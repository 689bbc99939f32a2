// The lowering: its state, the walk over the code, edges, values.
//
// Lowering executes LLVM instructions symbolically. `current` is the location reached; `pending` are assignments to
// thread variables since that location. All terms in use (pending values and bindings of LLVM values) are expressed
// over the variables as they are at `current`. `builder_emit` turns the pending assignments and one step into an edge
// and moves `current`. A bound term that mentions an overwritten variable is saved in a temporary by the same edge.
//
// Invariants:
//   - `current == NO_ID`: this point cannot be reached. What is emitted there is dropped, and values have no terms.
//   - A value that is used in another block than its own is saved at the end of its block (builder_save_values),
//     unless it is constant or consists of temporaries only: these never change while the value is alive (SSA
//     dominance).
//   - Each block of an activation is lowered once. Each activation has variables and stack objects of its own.
//   - `bindings` is a stack: those of the innermost activation are last. So is `jump_sites`.
//   - A value that cannot be modelled has no binding; a use of it is a cut. So no way is lost.
//
// Ownership: `scratch` holds what lives until the lowering ends (terms of bindings, activations' tables); what the
// program keeps is in the program's arena or interned in its strings. LLVM values belong to the unit.
//
// The folders: lower/ this walk; calls/ what a call becomes; objects/ memory; sites/ slots of threads and blocks;
// threads/ signals, cancellation, observers; arithmetic/ operators; format/ printf and scanf; assembly/ inline
// assembly.
#ifndef HEDDLE_FRONT_LOWER_LOWER_H
#define HEDDLE_FRONT_LOWER_LOWER_H

#include "front/module/extent.h"

// The value of an LLVM instruction, argument or alloca in one activation.
typedef struct Binding {
  LLVMValueRef value;
  Term *terms; // one per leaf of the value's type; NULL for an alloca that is a variable without known value
  uint32_t term_count;
  uint32_t uses_left;    // operands in reachable blocks that still read it
  VariableId variable;   // for an alloca that is a thread variable, else NO_ID
  bool address;          // `terms` is the address of an automatic object (objects/stack.c), selected by `chosen`
  ObjectId object, twin; // of an address; the twin may be NO_ID
  VariableId chosen;     // 1: the address is that of the twin
} Binding;
VECTOR(BindingVector, Binding);

// One inlined call of a function.
typedef struct Activation {
  FunctionInfo *info;
  struct Activation *caller;
  LLVMValueRef call;     // the instruction that calls it; NULL: the front end calls it
  Position call_site;    // in the user's code, for library functions
  const CallSite *calls; // of a function of the user's: Position.calls in it
  bool in_loop;          // may be executed more than once per activation of the thread
  bool library;          // it or a caller is a library model that synchronises
  uint64_t name;         // of the call: a hash of the calls that lead to it, independent of what else is inlined
  unsigned calls_ahead;  // larger calls that may be inlined inside it, nested
  bool inlined_ahead;    // it is a larger call that was inlined without a request
  size_t first_binding;  // bindings of this activation start here
  Map bindings;          // LLVMValueRef -> index in Lowering.bindings
  Map locations;         // LLVMBasicBlockRef -> LocationId
  Map depths;            // LLVMBasicBlockRef -> atomic depth
  bool block_in_cycle;   // of the block being lowered
  LocationId exit;       // where returns lead, NO_ID until the first
  unsigned exit_depth;   // atomic depth there
  Term varargs; // address of the variable arguments in memory; TERM_NONE if there are none, or they are still bindings
  Term registers;                       // address of those that come in registers (LP64)
  uint64_t used_general, used_floating; // how much of the register areas the named parameters have used
  ScopeState scope;                     // of the point being lowered
  Map slot_counters;                    // calls of alloca() in a cycle -> variable that counts the slots handed out
  size_t first_kept;                    // bindings of the variable arguments of a library model, until they are stored
  size_t kept_count;                    // how many they are
  LLVMValueRef kept_call;               // the call that they come from
  const Term *result;                   // leaves of the returned value
  uint32_t result_count;
} Activation;

typedef struct CallArguments CallArguments; // calls/calls.h

// A thread slot still to be lowered.
typedef struct ThreadWork {
  ThreadId thread;
  LLVMValueRef function;
  bool used_again; // sites/reuse.c
} ThreadWork;
VECTOR(ThreadWorkVector, ThreadWork);
VECTOR(AssignmentVector, Assignment);

// A place that a longjmp may come back to.
typedef struct JumpSite {
  const Activation *activation; // of the user's function that called setjmp
  LocationId after;             // where both returns of setjmp continue
  VariableId result;            // what setjmp returns
  unsigned depth;               // atomic depth at `after`
  uint32_t number;              // stored in the jump buffer; unique in the thread, never 0
} JumpSite;
VECTOR(JumpSiteVector, JumpSite);

// A block whose size is not constant, the object that holds the size, and the edge that stores it.
typedef struct KeptSize {
  ObjectId object, place;
  EdgeId edge;
} KeptSize;
VECTOR(KeptSizeVector, KeptSize);

// A use of __heddle_allocated_size, completed when all heap objects are known.
typedef struct SizeQuery {
  EdgeId edge; // loads the stored size, if there is one, and assigns the answer
  Term pointer;
} SizeQuery;
VECTOR(SizeQueryVector, SizeQuery);

// A step that counts blocks, completed when all sites are known (sites/leaks.c).
typedef struct BlockCount {
  EdgeId edge;
  const char *site; // of the block that is counted (Object.origin); NULL: the pointer decides
  Term pointer;
} BlockCount;
VECTOR(BlockCountVector, BlockCount);

// A place that allocates blocks, interned in the program's strings, and the object that counts its blocks.
typedef struct BlockSite {
  const char *name; // Object.origin
  Position position;
  ObjectId count;
} BlockSite;
VECTOR(BlockSiteVector, BlockSite);

// An end of the process, completed likewise: the checks are put between two locations.
typedef struct ProcessEnd {
  ThreadId thread;
  LocationId from, to;
  Position position;
  bool no_stack;
} ProcessEnd;
VECTOR(ProcessEndVector, ProcessEnd);

// A use of __heddle_others_accept, completed when all threads are known: steps are then put between two locations.
typedef struct AcceptQuery {
  ThreadId thread;
  LocationId from, to;
  VariableId wanted, result;
  Position position;
} AcceptQuery;
VECTOR(AcceptQueryVector, AcceptQuery);

// A thread whose slot is used again (sites/reuse.c).
typedef struct ReusedThread {
  ThreadId thread;
  LocationId restart, rest;
} ReusedThread;
VECTOR(ReusedThreadVector, ReusedThread);

typedef struct Lowering {
  FrontUnit *unit;
  Program *program;
  TermStore *terms; // the program's
  Arena scratch;
  const FrontLimits *limits;
  FrontView view;
  ThreadId thread;          // the thread being lowered
  bool is_observer;         // it is an observer
  VariableId twin_born;     // 1: a twin of the thread has been born (objects/stack.c); NO_ID: the thread has no twin
  LocationId restart, rest; // where a thread whose slot is used again restarts, and what leads there; or NO_ID
  Activation *top;          // the innermost activation; NULL between routines
  LLVMValueRef calling;     // the call being lowered, until its activation begins
  LocationId current;
  unsigned atomic_depth; // nested atomic sections at `current`
  AssignmentVector pending;
  Position pending_position;
  Position position;        // of the instruction being lowered
  LLVMValueRef instruction; // the same
  bool volatile_access;     // the instruction being lowered accesses a volatile object
  BindingVector bindings;   // of all activations, innermost last
  ThreadWorkVector work;
  unsigned loop_blocks;   // slots of blocks in loops, in all threads so far
  unsigned created;       // slots created so far by the thread being lowered
  Map objects;            // global -> ObjectId; function -> ObjectId
  ByteVector changes;     // per variable: may it be assigned more than once while a value made of it is alive?
  Map thread_locals;      // hash of (global, thread) -> ObjectId
  Map functions;          // address -> LLVMValueRef
  uint64_t functions_end; // the end of the addresses of functions whose address is taken
  Map unmodelled;         // objects whose initial value is not modelled
  Map variables;          // name of an environment variable (interned) -> ObjectId of its struct heddle_variable
  Map never_written;      // objects that keep their initial value
  Map block_numbers;      // hash of a thread and the name of blocks -> how many there are
  SizeQueryVector size_queries;
  KeptSizeVector kept_sizes;
  BlockSiteVector block_sites;
  BlockCountVector block_counts;
  ProcessEndVector process_ends;
  AcceptQueryVector accept_queries;
  ReusedThreadVector reused_threads;
  uint64_t signals;          // for which some thread may install a handler: bit n-1 for signal n
  bool any_signal;           // a signal number was not constant: it may be any
  U64Vector signals_done;    // per thread: the signals whose interruptions are lowered
  LocationId handler_end;    // in the interruption being lowered: the location at which its handler has returned
  bool in_interruption;      // what is being lowered is an interruption, which may run many times
  JumpSiteVector jump_sites; // of the activations on the stack
  uint32_t jump_numbers;     // the last number of a jump site
  Extents extents;
  Map ordinals;                // call instruction -> its position in its function, from 1
  size_t most_edges;           // the number of edges at which the thread being lowered is cut off
  const char *edge_limit_text; // the text of that cut; NULL: not made yet
  Account *account;
} Lowering;

// --- lower.c: threads, activations, blocks --- Inlines a call of `function` at `current`. Returns the leaves of the
// returned value (scratch memory), or NULL if nothing is returned or the call does not return. A function whose name
// begins with `__VERIFIER_atomic_` runs as one atomic section, however it is called.
const Term *lower_inline(Lowering *l, LLVMValueRef function, const CallArguments *arguments, uint32_t *result_count);
// Converts the leaves of an argument or result to the type that the other side expects; NULL after a cut.
const Term *lower_convert(Lowering *l, LLVMTypeRef type, const Term *terms, uint32_t count);
bool lower_in_loop(const Lowering *l); // may the present point be executed more than once in this thread?
Position lower_function_position(Lowering *l, LLVMValueRef function); // where it is defined
Position lower_return_position(Lowering *l,
                               LLVMValueRef function); // where it returns: clang merges all returns into one

// --- front.c ---
void lower_thread_begin(Lowering *l, ThreadId thread);  // prepares to lower the thread's code, from its entry
void lower_thread_resume(Lowering *l, ThreadId thread); // prepares to lower more code of it; `current` is NO_ID
// Calls the functions of a table of constructors or destructors, by priority; equal priorities in the table's order.
void lower_table(Lowering *l, const char *table_name, bool backwards);

// --- inlining.c: which calls are inlined ---
// May the call be inlined? True: the fields of `activation` about inlining are set. False: a cut was emitted.
bool inlining_allows(Lowering *l, LLVMValueRef function, Activation *activation);
// Gives the present thread its share of the edges that are left; `waiting`: threads that are lowered after it.
void inlining_share(Lowering *l, size_t waiting);
void inlining_stop(Lowering *l); // the limit on edges is met: a cut

// --- source_labels.c ---
void lower_label(Lowering *l, LLVMValueRef call); // a call of llvm.dbg.label

// --- builder.c: edges ---
Step builder_step(Lowering *l);             // a plain step at the present position
void builder_emit(Lowering *l, Step *step); // adds an edge with the pending assignments and the step to a new location
// The same to a given location. `last`: forget the pending assignments; `current` becomes NO_ID.
void builder_emit_to(Lowering *l, Step *step, LocationId to, bool last);
void builder_end(Lowering *l, Step *step); // emits a step that has no continuation (error, halt, cut)
void builder_flush(Lowering *l);           // emits the pending assignments, if there are any
// Saves the values that other blocks need, before control leaves a block. Bindings then describe the point after the
// next edge; so only builder_emit_to may follow. `builder_save_values_here` emits that edge at once and stays in the
// block.
void builder_save_values(Lowering *l);
void builder_save_values_here(Lowering *l);
void builder_cut(Lowering *l, CutKind kind, const char *what);
// A cut where `condition` holds; lowering continues where it does not.
void builder_cut_if(Lowering *l, Term condition, CutKind kind, const char *what);
LocationId builder_location(Lowering *l); // a new one, with the present atomic depth
VariableId builder_temporary(Lowering *l, unsigned width, const char *name);
void builder_assign(Lowering *l, VariableId variable, Term value); // adds a pending assignment
Term builder_read(Lowering *l, VariableId variable);               // its pending value, or the variable itself
// A variable that gets any value by a step of its own; `kind` is VALUE_INPUT or VALUE_INDETERMINATE.
Term builder_fresh(Lowering *l, unsigned width, Term kind, const char *name);
// Accesses that are wider than the machine's words, or of odd sizes, become several steps.
Term builder_load(Lowering *l, Term address, unsigned width, bool synchronises, const char *name);
void builder_store(Lowering *l, Term address, Term value, bool synchronises);
// How an access that does not synchronise by itself is to be taken, volatile or not.
typedef struct AccessReading {
  bool synchronises, is_volatile, innocent;
} AccessReading;
AccessReading builder_reading(Lowering *l, bool synchronises);
// A step of the given kind with a guard: STEP_ASSUME, STEP_WAIT, or STEP_PLAIN for one of several ways.
void builder_wait(Lowering *l, StepKind kind, Term condition);

// --- value.c: types, constants, operands ---
unsigned type_width(const FrontUnit *unit, LLVMTypeRef type); // bits of a scalar; 0 if it is not modelled
uint64_t type_bytes(const FrontUnit *unit, LLVMTypeRef type);
bool type_is_packed(LLVMTypeRef type); // a vector whose elements are not whole bytes: several elements share a byte
// A scalar inside a value of an aggregate type, with its offset in bytes.
typedef struct Leaf {
  LLVMTypeRef type;
  uint64_t offset;
} Leaf;
VECTOR(LeafVector, Leaf);
bool type_leaves(const FrontUnit *unit, LLVMTypeRef type, uint64_t offset, LeafVector *leaves); // false: not modelled
// The leaves of an operand; counts as one use. NULL if it cannot be modelled (a cut was emitted).
const Term *value_terms(Lowering *l, LLVMValueRef value, uint32_t *count);
Term value_term(Lowering *l, LLVMValueRef value); // of a scalar; TERM_NONE if it cannot be modelled
// Binds a value to copies of the terms, unless nothing uses it.
void value_bind(Lowering *l, LLVMValueRef value, const Term *terms, uint32_t count);
void value_bind_one(Lowering *l, LLVMValueRef value, Term term);
Binding *value_binding(Lowering *l, LLVMValueRef value); // of the innermost activation; NULL if there is none
void value_forget(Lowering *l, LLVMValueRef value);      // removes its terms, until it is bound again
Term constant_address(Lowering *l, uint64_t address);
Term gep_term(Lowering *l, LLVMValueRef gep);

#endif
