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
#ifndef HEDDLE_FRONT_LOWER_LOWER_H
#define HEDDLE_FRONT_LOWER_LOWER_H

#include "front/module/extent.h"

typedef struct Binding {
  LLVMValueRef value;
  Term *terms; // one per leaf of the value's type; NULL for an alloca that is a variable without known value
  uint32_t term_count;
  uint32_t uses_left;
  VariableId variable;   // for an alloca that is a thread variable, else NO_ID
  bool address;          // `terms` is the address of an automatic object (stack.c); it follows `chosen`
  ObjectId object, twin; // of an address; the twin may be NO_ID
  VariableId chosen;     // 1: the twin is meant
} Binding;
VECTOR(BindingVector, Binding);

typedef struct Activation {
  FunctionInfo *info;
  struct Activation *caller;
  LLVMValueRef call;    // the instruction that calls it; NULL: called by none
  Position call_site;   // in the user's code, for library functions
  bool in_loop;         // may be executed more than once per activation of the thread
  bool library;         // it or a caller is a library model that synchronises
  uint64_t name;        // of the call: the calls that lead to it, whatever else is inlined
  unsigned ahead;       // larger calls that may be inlined inside it, nested
  bool unasked;         // it is a larger call, inlined ahead of any demand
  size_t first_binding; // bindings of this activation start here
  Map bindings;         // LLVMValueRef -> index in Lowering.bindings
  Map locations;        // LLVMBasicBlockRef -> LocationId
  Map depths;           // LLVMBasicBlockRef -> atomic depth
  bool block_in_cycle;  // of the block being lowered
  LocationId exit;      // where returns lead, NO_ID until the first
  unsigned exit_depth;
  Term varargs;      // address of the variable arguments in memory; TERM_NONE if there are none, or they are still kept
  Term registers;    // address of those that come in registers (LP64), and how much of these parameters have used
  ScopeState scope;  // of the point being lowered
  Map slot_counters; // calls of alloca() in a cycle -> variable that counts the slots handed out
  uint64_t used_general, used_floating;
  size_t first_kept; // bindings of the variable arguments of a library model, which are passed when it asks for them
  size_t kept_count;
  LLVMValueRef kept_call; // the call that they come from
  const Term *result;     // leaves of the returned value
  uint32_t result_count;
} Activation;

// The arguments of a call, each as the leaves of its type.
typedef struct CallArguments {
  const Term **lists;
  uint32_t *counts;
  size_t count;
  LLVMValueRef call; // the instruction, which knows how they are passed; NULL: the model calls
  bool complete;     // false: one of them cannot be modelled
} CallArguments;

// A thread slot still to be lowered.
typedef struct ThreadWork {
  ThreadId thread;
  LLVMValueRef function;
  bool used_again; // reuse.c
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

// A use of __heddle_others_accept, completed when all threads are known: steps that are to be put between two
// locations.
typedef struct AcceptQuery {
  ThreadId thread;
  LocationId from, to;
  VariableId wanted, result;
  Position position;
} AcceptQuery;
VECTOR(AcceptQueryVector, AcceptQuery);

// A thread whose slot is used again (reuse.c).
typedef struct ReusedThread {
  ThreadId thread;
  LocationId again, rest;
} ReusedThread;
VECTOR(ReusedThreadVector, ReusedThread);

typedef struct Lowering {
  FrontUnit *unit;
  Program *program;
  TermStore *terms;
  Arena scratch;
  const FrontLimits *limits;
  FrontView view;
  ThreadId thread;
  bool observes;          // the thread is an observer
  VariableId watched;     // 1: a twin of the thread has been born (stack.c); NO_ID: it has none
  LocationId again, rest; // where a thread whose slot is used again starts over, and what leads there; or NO_ID
  Activation *top;
  LLVMValueRef calling; // the call being lowered, until its activation begins
  LocationId current;
  unsigned atomic_depth;
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
  ByteVector changes;     // per variable: it may be assigned more than once while a value made of it is alive
  Map thread_locals;      // hash of (global, thread) -> ObjectId
  Map functions;          // address -> LLVMValueRef
  uint64_t functions_end; // of the objects of functions whose address is taken
  Map unmodelled;         // objects whose initial value is not modelled
  Map variables;          // name of an environment variable (interned) -> ObjectId of its struct heddle_variable
  Map settled;            // objects that keep their initial value
  Map block_numbers;      // hash of a thread and the name of blocks -> how many there are
  SizeQueryVector size_queries;
  KeptSizeVector kept_sizes;
  AcceptQueryVector accept_queries;
  ReusedThreadVector reused_threads;
  uint64_t signals;          // that some thread may install a handler for: bit n-1 for signal n
  bool any_signal;           // a number was not constant: it may be any
  U64Vector signals_done;    // per thread: the signals whose interrupts are lowered
  LocationId leave;          // of the interrupt that is being lowered: where its handler has returned
  bool interrupts;           // what is being lowered is an interrupt, which may run many times
  JumpSiteVector jump_sites; // of the activations on the stack
  uint32_t jump_numbers;
  Extents extents;
  Map ordinals;         // calls -> how many instructions come before them in their function, + 1
  size_t most_edges;    // what the thread being lowered may go up to
  const char *too_much; // says that the limit on edges is met, and where they are; NULL: not made yet
  Account *account;
} Lowering;

// --- lower.c: threads, activations, blocks ---
// Inlines a call of `function` at `current`; returns the leaves of the returned value (scratch memory), or NULL
// if nothing is returned or the call does not return. A function whose name begins with `__VERIFIER_atomic_` runs as
// one atomic section, however it is called.
const Term *lower_inline(Lowering *l, LLVMValueRef function, const CallArguments *arguments, uint32_t *result_count);
const Term *lower_fit(Lowering *l, LLVMTypeRef type, const Term *terms, uint32_t count);
void lower_instruction(Lowering *l, LLVMValueRef instruction);
void lower_terminator(Lowering *l, LLVMValueRef terminator);
bool lower_in_loop(const Lowering *l); // may the present point be executed more than once in this thread?
Position lower_function_position(Lowering *l, LLVMValueRef function); // where it is defined
Position lower_return_position(Lowering *l, LLVMValueRef function);   // where it returns: clang makes one of several
void lower_thread_end(Lowering *l, Term result);
void lower_thread_begin(Lowering *l, ThreadId thread);  // ready to lower its code, from its entry
void lower_thread_resume(Lowering *l, ThreadId thread); // ready to lower more code of it; `current` is NO_ID

// --- uses.c ---
bool uses_feature(const FrontUnit *unit, const char *feature);     // by the functions that the program mentions
bool lower_uses(Lowering *l, LLVMValueRef call, const char *name); // __heddle_uses_FEATURE; false: another function
void lower_key_limit(Lowering *l, LLVMValueRef call);

// --- cancel.c ---
void cancel_before_call(Lowering *l, const char *name); // of a library function: is it a cancellation point?

// --- interrupt.c: signals and their handlers ---
void lower_installs(Lowering *l, LLVMValueRef call);
void lower_run_handler(Lowering *l, LLVMValueRef call);
void lower_leave_handler(Lowering *l, LLVMValueRef call);
void lower_others_accept(Lowering *l, LLVMValueRef call);
void lower_accept_answers(Lowering *l);
void interrupt_inherit(Lowering *l, uint64_t control); // a new thread blocks what its creator blocks
void interrupt_end(Lowering *l);                       // a thread that ends accepts no signal
// Lowers the interrupts of all threads, as far as they are known; false if nothing was new.
bool lower_interrupts(Lowering *l);

// --- front.c ---
// Calls the functions of a table of constructors or destructors, by priority; equal ones in the order of the table.
void lower_table(Lowering *l, const char *table_name, bool backwards);

// --- inlining.c: which calls are inlined ---
// May the call be inlined? If not, a cut was emitted; else `activation` gets what it needs to know.
bool inlining_allows(Lowering *l, LLVMValueRef function, Activation *activation);
// Gives the thread at hand its share of the edges that are left; `waiting`: threads still to be lowered after it.
void inlining_share(Lowering *l, size_t waiting);
// The limit on edges is met: a cut.
void inlining_stop(Lowering *l);

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
LocationId builder_location(Lowering *l); // new, with the present atomic depth
VariableId builder_temporary(Lowering *l, unsigned width, const char *name);
void builder_assign(Lowering *l, VariableId variable, Term value);            // pending
Term builder_read(Lowering *l, VariableId variable);                          // pending value or the variable itself
Term builder_fresh(Lowering *l, unsigned width, Term kind, const char *name); // emits a step; VALUE_INPUT or ..
Term builder_load(Lowering *l, Term address, unsigned width, bool synchronises, const char *name);
void builder_store(Lowering *l, Term address, Term value, bool synchronises);
// How an access that does not synchronise by itself is to be taken, volatile or not.
typedef struct AccessReading {
  bool synchronises, is_volatile, innocent;
} AccessReading;
AccessReading builder_reading(Lowering *l, bool synchronises);
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
void value_forget(Lowering *l, LLVMValueRef value);      // it has no value any more, until it is bound again
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
void functions_lay_out(Lowering *l);                         // before any other object: those whose address is taken
Term is_taken_function(Lowering *l, Term pointer);           // does it hold one of them?
ObjectId label_object(Lowering *l, LLVMBasicBlockRef block); // the address of a label
// Is `pointer` the address of the function? A function without room has none that a pointer could hold.
Term points_to_function(Lowering *l, Term pointer, LLVMValueRef function);
LLVMValueRef function_at(const Lowering *l, Term address); // NULL unless constant and a function
void object_zero_initial(Lowering *l, ObjectId object, uint64_t offset, uint64_t value, unsigned bytes);

// --- launch.c: arguments, environment, standard input ---
size_t launch_arguments(Lowering *l, LLVMValueRef main_function, Term *arguments); // of main; at most 8
// The object of a global that the models declare and the front end defines; NO_ID if the name is none of these.
ObjectId launch_object(Lowering *l, const char *name);
void lower_variable(Lowering *l, LLVMValueRef call); // __heddle_variable
void lower_variable_entry(Lowering *l, LLVMValueRef call);

// --- elsewhere.c: objects that no file defines ---
bool elsewhere_defined(const FrontUnit *unit, LLVMValueRef global); // declared only
// Of an object declared without a size: what all accesses at constant places need; false: there are others.
bool elsewhere_reach(const FrontUnit *unit, LLVMValueRef global, uint64_t *bytes);
void elsewhere_extend(Lowering *l, ObjectId object); // it was added last: any number of bytes may follow it
// An undefined function was called: they hold any values, and `callback` is the cut for a function that one leads to.
void elsewhere_forget(Lowering *l, CutId callback);

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
void lower_make_indeterminate(Lowering *l, VariableId variable);
void lower_block_operation(Lowering *l, StepKind kind, Term destination, Term source, uint64_t length);
// Writes by an undefined function, to the end of the object; `callback` is the cut for a function in its reach.
void lower_doubtful_writes(Lowering *l, Term destination, CutId callback);
// A block operation by ordinary accesses, also inside models. FILL without a source: any values.
void lower_user_block(Lowering *l, StepKind kind, Term destination, Term source, uint64_t length);
bool access_synchronises(const Lowering *l);

// --- touch.c: accesses of models to the user's memory whose values do not matter ---
bool touch_constant_text(const Lowering *l, Term address, const char **text); // a string that nobody can change
void touch_read(Lowering *l, Term from, Term bytes);
void touch_read_string(Lowering *l, Term from, Term most);
void touch_any(Lowering *l, Term to, Term bytes);
void lower_read_bytes(Lowering *l, LLVMValueRef call);
void lower_read_string(Lowering *l, LLVMValueRef call);
void lower_any_bytes(Lowering *l, LLVMValueRef call);

// --- format.c, format_text.c: formatted output ---
void lower_format(Lowering *l, LLVMValueRef call);
void lower_format_list(Lowering *l, LLVMValueRef call);
void lower_print(Lowering *l, LLVMValueRef call);
void lower_print_list(Lowering *l, LLVMValueRef call);
// --- stack.c: automatic objects ---
// Of an alloca in memory. A `size` that is not constant is at most the limit; then nothing is pending.
void stack_bind(Lowering *l, LLVMValueRef alloca, Term size, const char *name);
// The address of another object for an alloca() in a cycle, and the counters of these at the begin of an activation.
Term stack_slot(Lowering *l, LLVMValueRef alloca, Term size, const char *name);
void stack_slot_counters(Lowering *l);
// Born now, they end with the activation. The first is the callee's copy of an argument, and is known by its address.
Term stack_parameter(Lowering *l, LLVMValueRef parameter, uint64_t bytes, uint64_t alignment, const char *name);
ObjectId stack_hidden_object(Lowering *l, uint64_t bytes, const char *name);
void stack_birth(Lowering *l, LLVMValueRef alloca, bool forget); // `forget`: it holds any value again
void stack_end(Lowering *l, LLVMValueRef alloca);
void stack_restore(Lowering *l, LLVMValueRef call); // of llvm.stackrestore
// Ends the lifetimes that no marker ends, when their function returns: of parameters, of memory from alloca().
void stack_return(Lowering *l);
// Ends all objects of the activations whose bindings begin at `first`: they are left without returning.
void stack_abandon(Lowering *l, size_t first);

// --- scan.c: formatted input ---
void lower_scan(Lowering *l, LLVMValueRef call);
void lower_scan_list(Lowering *l, LLVMValueRef call);
void lower_scan_input(Lowering *l, LLVMValueRef call);
void lower_scan_input_list(Lowering *l, LLVMValueRef call);
void lower_scan_any(Lowering *l, LLVMValueRef call);
void lower_scan_any_list(Lowering *l, LLVMValueRef call);

// --- arithmetic.c ---
bool lower_arithmetic(Lowering *l, LLVMValueRef instruction); // false: not an arithmetic instruction

// --- call.c, intrinsic.c, primitive.c ---
static inline Term call_argument(Lowering *l, LLVMValueRef call, unsigned i) {
  return value_term(l, LLVMGetOperand(call, i));
}
void lower_call(Lowering *l, LLVMValueRef call);
CallArguments call_arguments(Lowering *l, LLVMValueRef call); // of terms at `current`; counts as a use of each
// One way for all calls: `callee` is the function called, directly or through a pointer that holds it in this case.
void call_callee(Lowering *l, LLVMValueRef call, LLVMValueRef callee);
bool lower_intrinsic(Lowering *l, LLVMValueRef call, const char *name);
// reach_error and the like, run without a call: by a thread. False: it is none of them.
bool lower_error_function(Lowering *l, LLVMValueRef function);
// `callee` is the function called, directly or through a pointer that is known to point to it.
bool lower_primitive(Lowering *l, LLVMValueRef call, LLVMValueRef callee, const char *name);
// Opens and closes an atomic section; inside another one, nothing happens.
void lower_section_begin(Lowering *l);
void lower_section_end(Lowering *l);
// Inlines a function with scalar arguments.
const Term *call_function(Lowering *l, LLVMValueRef function, const Term *arguments, size_t count,
                          uint32_t *result_count);

// --- target.c: intrinsics of processors ---
bool lower_target_intrinsic(Lowering *l, LLVMValueRef call, const char *name); // `name` without "llvm."

// --- pointer_call.c, undefined.c ---
void call_through_pointer(Lowering *l, LLVMValueRef call);
void call_undefined(Lowering *l, LLVMValueRef call, const char *name);
void call_bind_fresh(Lowering *l, LLVMValueRef call, const char *name); // any value of the call's type
void call_bind_guess(Lowering *l, LLVMValueRef call, const char *name); // the same, but the real call has one result

// --- assembly.c ---
void lower_assembly(Lowering *l, LLVMValueRef call, LLVMValueRef assembly); // a call of inline assembly
// --- mathematics.c ---
bool lower_mathematics(Lowering *l, LLVMValueRef call, const char *name); // false: not with constant arguments

// --- source_labels.c ---
void lower_label(Lowering *l, LLVMValueRef call); // a call of llvm.dbg.label

// --- varargs.c ---
void varargs_pass(Lowering *l, Activation *callee, const CallArguments *arguments);
// Of a library model: the arguments stay at hand as bindings until `varargs_start` or `varargs_list` passes them.
void varargs_keep(Lowering *l, Activation *callee, const CallArguments *arguments);
void lower_argument(Lowering *l, LLVMValueRef call); // a call of __heddle_argument_*
Term varargs_list(Lowering *l); // the address of a va_list of the present activation; TERM_NONE after a cut
// Where a va_list stands: what its fields held when it was read, and the next argument of a kind.
typedef struct ListPlace {
  Term general, floating; // offsets in the register area (LP64)
  Term memory, registers; // addresses
} ListPlace;
ListPlace varargs_place(Lowering *l, Term list);
Term varargs_next(Lowering *l, ListPlace *place, unsigned width, bool floating); // moves on
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
void cut_where(Lowering *l, Term condition, CutKind kind, const char *what); // ends there; on the other way it goes on
// The address of a new stack object for each execution of an alloca() in a cycle; `counter` counts them.
Term site_alloca(Lowering *l, LLVMValueRef alloca, Term size, VariableId counter, const char *name);
// The address of a new block. Null where no execution has room for it.
Term site_allocate(Lowering *l, Term size, uint64_t alignment, bool zeroed);

// --- reuse.c: slots that are used again ---
void reuse_resume(Lowering *l);                             // sets `again` and `rest` of the thread being lowered
void reuse_begin(Lowering *l);                              // the thread's routine starts here, each time
void reuse_end(Lowering *l, Term result, uint64_t control); // it has ended
void reuse_finish(Lowering *l);                             // of all such threads, when all code is lowered
void reuse_start(Lowering *l, Term argument, Term handle_place, uint64_t control); // by the creator

#endif
