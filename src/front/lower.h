// The lowering, seen from inside: state of the thread being lowered, activations of inlined functions, values.
//
// Lowering walks LLVM instructions and executes them symbolically. `current` is the location reached; `pending` are
// assignments to thread variables since that location. All terms in hand (pending values, bindings of LLVM values) are
// expressed over the variables as they are at `current`. `emit` turns pending assignments and one step into an edge
// and moves on; terms that mention an overwritten variable are saved in temporaries by the same edge.
//
//   - An LLVM value used in another block than its own is saved at the end of its block ("settled"), unless it is
//     constant or made of temporaries only, which never change while the value is alive (SSA dominance).
//   - `current == NO_ID` means that this point cannot be reached; everything emitted there is dropped.
//   - Each block of an activation is lowered once; each activation has variables and stack objects of its own.
#ifndef HEDDLE_FRONT_LOWER_H
#define HEDDLE_FRONT_LOWER_H

#include "front/unit.h"

typedef struct Binding {
  LLVMValueRef value;
  Term *terms; // one per leaf of the value's type; NULL for an alloca that is a variable without known value
  uint32_t term_count;
  uint32_t uses_left;
  VariableId variable; // for an alloca that is a thread variable, else NO_ID
  bool address;        // `terms` is the address of an alloca in memory
} Binding;
VECTOR(BindingVector, Binding);

typedef struct Activation {
  FunctionInfo *info;
  struct Activation *caller;
  LLVMValueRef call;    // the instruction that calls it; NULL: called by none
  Position call_site;   // in the user's code, for library functions
  bool in_loop;         // may be executed more than once per activation of the thread
  bool library;         // it or a caller is a library model that synchronises
  size_t first_binding; // bindings of this activation start here
  Map bindings;         // LLVMValueRef -> index in Lowering.bindings
  Map locations;        // LLVMBasicBlockRef -> LocationId
  Map depths;           // LLVMBasicBlockRef -> atomic depth
  bool block_in_cycle;  // of the block being lowered
  LocationId exit;      // where returns lead, NO_ID until the first
  unsigned exit_depth;
  Map slot_counters;  // calls of alloca() in a cycle -> variable that counts the slots handed out
  U32Vector slots;    // their objects
  Term varargs;       // address of the variable arguments; TERM_NONE if there are none
  const Term *result; // leaves of the returned value
  uint32_t result_count;
} Activation;

// A thread slot still to be lowered.
typedef struct ThreadWork {
  ThreadId thread;
  LLVMValueRef function;
} ThreadWork;
VECTOR(ThreadWorkVector, ThreadWork);
VECTOR(AssignmentVector, Assignment);

// A place that a longjmp may come back to.
typedef struct JumpSite {
  const Activation *activation; // of the user's function that called setjmp
  LocationId after;             // where both returns go on
  VariableId result;            // what setjmp returns
  unsigned depth;
  uint32_t number; // stored in the jump buffer; unique in the thread, never 0
} JumpSite;
VECTOR(JumpSiteVector, JumpSite);

// A block of a size that is not constant, where that size is kept, and the edge that stores it.
typedef struct KeptSize {
  ObjectId object, place;
  EdgeId edge;
} KeptSize;
VECTOR(KeptSizeVector, KeptSize);

// A use of __heddle_allocated_size, completed when all heap objects are known.
typedef struct SizeQuery {
  EdgeId edge; // loads the size that is kept, if any is, and assigns the answer
  Term pointer;
} SizeQuery;
VECTOR(SizeQueryVector, SizeQuery);

typedef struct Lowering {
  FrontUnit *unit;
  Program *program;
  TermStore *terms;
  Arena scratch;
  const FrontLimits *limits;
  FrontView view;
  ThreadId thread;
  bool observes; // the thread is an observer
  Activation *top;
  LLVMValueRef calling; // the call being lowered, until its activation begins
  LocationId current;
  unsigned atomic_depth;
  AssignmentVector pending;
  Position pending_position;
  Position position;      // of the instruction being lowered
  BindingVector bindings; // of all activations, innermost last
  ThreadWorkVector work;
  unsigned loop_blocks; // slots of blocks in loops, in all threads so far
  unsigned created;     // slots created so far by the thread being lowered
  Map objects;          // global -> ObjectId; function -> ObjectId
  ByteVector changes;   // per variable: it may be assigned more than once while a value made of it is alive
  Map thread_locals;    // hash of (global, thread) -> ObjectId
  Map functions;        // address -> LLVMValueRef
  Map unmodelled;       // objects whose initial value is not modelled
  Map settled;          // objects that keep their initial value
  Map block_numbers;    // hash of a thread and the name of blocks -> how many there are
  SizeQueryVector size_queries;
  KeptSizeVector kept_sizes;
  JumpSiteVector jump_sites; // of the activations on the stack
  uint32_t jump_numbers;
  Account *account;
} Lowering;

// --- lower.c: threads, activations, blocks ---
// Inlines a call of `function` at `current`; `result` gets the leaves of the returned value (scratch memory), or NULL
// if nothing is returned or the call does not return.
const Term *lower_inline(Lowering *l, LLVMValueRef function, const Term *const *arguments, const uint32_t *counts,
                         size_t argument_count, uint32_t *result_count);
const Term *lower_fit(Lowering *l, LLVMTypeRef type, const Term *terms, uint32_t count);
void lower_instruction(Lowering *l, LLVMValueRef instruction);
void lower_terminator(Lowering *l, LLVMValueRef terminator);
bool lower_in_loop(const Lowering *l); // may the present point be executed more than once in this thread?
Position lower_function_position(Lowering *l, LLVMValueRef function); // where it is defined
Position lower_return_position(Lowering *l, LLVMValueRef function);   // where it returns: clang makes one of several
void lower_thread_end(Lowering *l, Term result);
void lower_thread_begin(Lowering *l, ThreadId thread); // ready to lower its code, from its entry

// --- observer.c ---
// A thread that nobody creates for each atom of a formula: it leaves the atom's value as the result of a thread.
void lower_observers(Lowering *l);

enum { SLOT_COUNTER_BITS = 16 }; // of the variable that counts what a site has handed out

// --- builder.c: edges ---
Step builder_step(Lowering *l);             // a plain step at the present position
void builder_emit(Lowering *l, Step *step); // takes pending along; moves `current` to a new location
void builder_emit_to(Lowering *l, Step *step, LocationId to, bool last); // the same to a given location; `last`: forget
void builder_end(Lowering *l, Step *step); // emits a step that has no continuation (error, halt, cut)
void builder_flush(Lowering *l);           // emits pending assignments, if any
// Saves what other blocks need, before leaving a block. Bindings then speak of the point after the next edge, so only
// builder_emit_to may follow. `builder_settle_here` emits that edge at once and stays in the block.
void builder_settle(Lowering *l);
void builder_settle_here(Lowering *l);
void builder_cut(Lowering *l, CutKind kind, const char *what);
// A cut on the way where `holds` is false; goes on where it is true. Settles first: `holds` must not mention a variable
// that is pending.
void builder_branch_cut(Lowering *l, Term holds, CutKind kind, const char *what);
LocationId builder_location(Lowering *l); // new, with the present atomic depth
VariableId builder_temporary(Lowering *l, unsigned width, const char *name);
void builder_assign(Lowering *l, VariableId variable, Term value);            // pending
Term builder_read(Lowering *l, VariableId variable);                          // pending value or the variable itself
Term builder_fresh(Lowering *l, unsigned width, Term kind, const char *name); // emits a step; VALUE_INPUT or ..
Term builder_load(Lowering *l, Term address, unsigned width, bool synchronises, const char *name);
void builder_store(Lowering *l, Term address, Term value, bool synchronises);
void builder_wait(Lowering *l, StepKind kind, Term condition); // ASSUME or WAIT

// --- value.c: types, constants, operands ---
unsigned type_width(const FrontUnit *unit, LLVMTypeRef type); // bits of a scalar; 0 if not modelled
uint64_t type_bytes(const FrontUnit *unit, LLVMTypeRef type);
typedef struct Leaf {
  LLVMTypeRef type;
  uint64_t offset;
} Leaf;
VECTOR(LeafVector, Leaf);
bool type_leaves(const FrontUnit *unit, LLVMTypeRef type, uint64_t offset, LeafVector *leaves); // false: not modelled
// The leaves of an operand; counts as one use. NULL if it cannot be modelled (a cut was emitted).
const Term *value_terms(Lowering *l, LLVMValueRef value, uint32_t *count);
Term value_term(Lowering *l, LLVMValueRef value); // of a scalar; TERM_NONE if it cannot be modelled
void value_bind(Lowering *l, LLVMValueRef value, const Term *terms, uint32_t count);
void value_bind_one(Lowering *l, LLVMValueRef value, Term term);
Binding *value_binding(Lowering *l, LLVMValueRef value); // innermost activation's; NULL if none
Term constant_address(Lowering *l, uint64_t address);
Term object_address(Lowering *l, ObjectId object);
Term gep_term(Lowering *l, LLVMValueRef gep);

// --- object.c: room for objects ---
// A new object, aligned to at least 16. NO_ID: there is no room, and a cut was emitted; object_address of it is null.
ObjectId lower_object(Lowering *l, uint64_t bytes, uint64_t alignment, Storage storage, ThreadId owner,
                      const char *name);
// A pointer becomes a number: notes that the answer hangs on where objects lie, unless what is done with it does not.
void address_as_number(Lowering *l, LLVMValueRef conversion);
// True if no execution that comes here has room for a block of that size beside what it has allocated.
bool object_cannot_fit(const Lowering *l, Bits bytes);

// --- globals.c: objects of globals and functions ---
// NO_ID, after a cut, where there is no room.
ObjectId global_object(Lowering *l, LLVMValueRef global); // of this thread, for thread-locals
ObjectId function_object(Lowering *l, LLVMValueRef function);
ObjectId label_object(Lowering *l, LLVMBasicBlockRef block); // the address of a label
// Is `pointer` the address of the function? A function without room has none that a pointer could hold.
Term points_to_function(Lowering *l, Term pointer, LLVMValueRef function);
LLVMValueRef function_at(const Lowering *l, Term address); // NULL unless constant and a function
void object_zero_initial(Lowering *l, ObjectId object, uint64_t offset, uint64_t value, unsigned bytes);

// --- elsewhere.c: objects that no file defines ---
bool elsewhere_defined(const FrontUnit *unit, LLVMValueRef global); // declared only
// The size of an object declared without one; what lies from `*modelled` on is not modelled.
uint64_t elsewhere_size(const FrontUnit *unit, LLVMValueRef global, uint64_t *modelled);
void elsewhere_forget(Lowering *l); // an undefined function was called: they hold any values

// --- settled.c: globals that keep their initial value ---
bool settled_global(const FrontUnit *unit, LLVMValueRef global);
Term settled_load(Lowering *l, Term address, unsigned width); // TERM_NONE: not known

// --- size_query.c ---
void lower_allocated_size(Lowering *l, LLVMValueRef call);
void size_queries_answer(Lowering *l); // when all code is lowered

// --- memory.c ---
void lower_alloca(Lowering *l, LLVMValueRef instruction);
void lower_load(Lowering *l, LLVMValueRef instruction);
void lower_store(Lowering *l, LLVMValueRef instruction);
void lower_cmpxchg(Lowering *l, LLVMValueRef instruction);
void lower_atomicrmw(Lowering *l, LLVMValueRef instruction);
void lower_lifetime_start(Lowering *l, LLVMValueRef alloca);
void lower_lifetime_end(Lowering *l, LLVMValueRef alloca);
// Ends the lifetimes that no marker ends: of parameters and variable-length arrays, when their function returns.
void lower_unmarked_ends(Lowering *l);
void lower_slot_counters(Lowering *l); // at the begin of an activation: no slot of a repeated alloca() is handed out
ObjectId memory_stack_object(Lowering *l, uint64_t bytes, uint64_t alignment, const char *name); // born now
// One whose size is decided by `size`, up to the limit (the caller has checked it).
ObjectId memory_sized_object(Lowering *l, Term size, uint64_t alignment, const char *name);
void lower_block_operation(Lowering *l, StepKind kind, Term destination, Term source, uint64_t length);
bool access_synchronises(const Lowering *l);

// --- arithmetic.c ---
bool lower_arithmetic(Lowering *l, LLVMValueRef instruction); // false: not an arithmetic instruction

// --- call.c, intrinsic.c, primitive.c ---
static inline Term call_argument(Lowering *l, LLVMValueRef call, unsigned i) {
  return value_term(l, LLVMGetOperand(call, i));
}
void lower_call(Lowering *l, LLVMValueRef call);
bool lower_intrinsic(Lowering *l, LLVMValueRef call, const char *name);
// `callee` is the function called, directly or through a pointer that is known to point to it.
bool lower_primitive(Lowering *l, LLVMValueRef call, LLVMValueRef callee, const char *name);
// Inlines a function with scalar arguments.
const Term *call_function(Lowering *l, LLVMValueRef function, const Term *arguments, size_t count,
                          uint32_t *result_count);

// --- label.c ---
void lower_label(Lowering *l, LLVMValueRef call); // a call of llvm.dbg.label

// --- varargs.c ---
void varargs_pass(Lowering *l, Activation *callee, const Term *const *arguments, const uint32_t *counts, size_t first,
                  size_t count);
void varargs_start(Lowering *l, LLVMValueRef call);
void varargs_copy(Lowering *l, LLVMValueRef call);

// --- jump.c: setjmp and longjmp ---
void lower_setjmp(Lowering *l, LLVMValueRef call);
void lower_longjmp(Lowering *l, LLVMValueRef call);

// --- site.c: sites that hand out slots (threads, heap objects) ---
// NO_ID, after a cut, where there is no room for its control block.
ThreadId site_new_thread(Lowering *l, const char *routine, ThreadId parent, unsigned ordinal, Position created_at);
// `handle_place`: where the handle is stored before the thread starts (may be null).
Term site_create(Lowering *l, LLVMValueRef function, Term argument, Term handle_place);
// The address of a new stack object for each execution of an alloca() in a cycle; `counter` counts them.
Term site_alloca(Lowering *l, Term size, uint64_t alignment, VariableId counter, const char *name);
// The address of a new block. Null where no execution has room for it.
Term site_allocate(Lowering *l, Term size, uint64_t alignment, bool zeroed);

#endif
