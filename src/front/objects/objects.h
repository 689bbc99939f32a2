// Objects and accesses: globals, functions, automatic variables, loads and stores, block operations.
//
// Every object has an address of its own in the address space of the data model; an ObjectId indexes Program.objects.
// An object is owned by the program and lives as long as it. Where the address space is full, the function that wanted
// the object emits a cut and returns NO_ID.
//
// Limits: the size of an object whose size is not constant is at most FrontLimits.object_bytes; an access beyond it is
// a cut.
#ifndef HEDDLE_FRONT_OBJECTS_OBJECTS_H
#define HEDDLE_FRONT_OBJECTS_OBJECTS_H

#include "front/lower/lower.h"

// --- object.c: addresses ---
// Adds an object, aligned to at least OBJECT_ALIGNMENT. NO_ID: there is no room, and a cut was emitted.
ObjectId lower_object(Lowering *l, uint64_t bytes, uint64_t alignment, Storage storage, ThreadId owner,
                      const char *name);
// A pointer becomes an integer. Notes the assumption that the answer depends on the model's addresses, unless every use
// of the integer has the same result for all layouts.
void address_as_number(Lowering *l, LLVMValueRef conversion);
// True if no execution that reaches `current` has room for a block of that size beside what it has allocated.
bool object_cannot_fit(const Lowering *l, Bits bytes);
Term object_address(Lowering *l, ObjectId object); // the null pointer for NO_ID

// --- globals.c: objects of globals and functions; NO_ID after a cut where there is no room ---
ObjectId global_object(Lowering *l, LLVMValueRef global); // of a thread-local: the present thread's
ObjectId function_object(Lowering *l, LLVMValueRef function);
// Adds the objects of all functions whose address is taken. It comes before any other object, so that their addresses
// are one range.
void functions_lay_out(Lowering *l);
Term is_taken_function(Lowering *l, Term pointer);           // is the pointer in that range?
ObjectId label_object(Lowering *l, LLVMBasicBlockRef block); // the object whose address is that of a label
// Is `pointer` the address of the function? False if the function has no object.
Term points_to_function(Lowering *l, Term pointer, LLVMValueRef function);
LLVMValueRef function_at(const Lowering *l, Term address); // NULL unless the address is constant and a function's
// Sets initial bytes of an object whose other bytes are zero unless they were set.
void object_set_initial(Lowering *l, ObjectId object, uint64_t offset, uint64_t value, unsigned bytes);

// --- declared_only.c: globals that the program declares and no file defines ---
bool is_declared_only(const FrontUnit *unit, LLVMValueRef global);
// For an object that is declared without a size: the bytes that accesses at constant offsets need. False: there are
// other accesses, too.
bool declared_only_bytes(const FrontUnit *unit, LLVMValueRef global, uint64_t *bytes);
// Any number of bytes may follow the object; an access to them is a cut. The object was added last.
void declared_only_extend(Lowering *l, ObjectId object);
// An undefined function was called: the globals that no file defines become indeterminate. `callback` is the cut for a
// function that one of them leads to.
void declared_only_havoc(Lowering *l, CutId callback);

// --- never_written.c: globals that keep their initial value ---
bool global_is_never_written(const FrontUnit *unit, LLVMValueRef global);
Term never_written_load(Lowering *l, Term address, unsigned width); // TERM_NONE: the value is not known

// --- memory_access.c: instructions that access memory ---
void lower_alloca(Lowering *l, LLVMValueRef instruction);
void lower_load(Lowering *l, LLVMValueRef instruction);
void lower_store(Lowering *l, LLVMValueRef instruction);
void lower_cmpxchg(Lowering *l, LLVMValueRef instruction);
void lower_atomicrmw(Lowering *l, LLVMValueRef instruction);
void lower_make_indeterminate(Lowering *l, VariableId variable);
void lower_block_operation(Lowering *l, StepKind kind, Term destination, Term source, uint64_t length);
// Writes by an undefined function, up to the end of the object; `callback` is the cut for a function that the object
// leads to.
void lower_doubtful_writes(Lowering *l, Term destination, CutId callback);
// A block operation by ordinary accesses, also inside models. FILL without a source writes any values.
void lower_user_block(Lowering *l, StepKind kind, Term destination, Term source, uint64_t length);

// --- touch_user.c: accesses of models to the user's memory whose values do not matter ---
bool touch_constant_text(const Lowering *l, Term address, const char **text); // is it the address of a constant string?
void touch_write_any(Lowering *l, Term to, Term bytes);
void lower_read_bytes(Lowering *l, LLVMValueRef call);
void lower_read_string(Lowering *l, LLVMValueRef call);
void lower_any_bytes(Lowering *l, LLVMValueRef call);

// --- stack.c: lifetimes of automatic objects --- Adds the object of an alloca and binds its address. A `size` that is
// not constant is at most the limit; then nothing is pending.
void stack_bind(Lowering *l, LLVMValueRef alloca, Term size, const char *name);
// Adds another object for an alloca() in a cycle and returns its address; TERM_NONE: there is no room.
Term stack_slot(Lowering *l, LLVMValueRef alloca, Term size, const char *name);
void stack_slot_counters(Lowering *l); // makes the counters of such objects, at the begin of an activation
// Objects that are born now and end with the activation. The first is the callee's copy of an argument; its address is
// returned.
Term stack_parameter(Lowering *l, LLVMValueRef parameter, uint64_t bytes, uint64_t alignment, const char *name);
ObjectId stack_hidden_object(Lowering *l, uint64_t bytes, const char *name);
void stack_birth(Lowering *l, LLVMValueRef alloca, bool forget); // `forget`: the object becomes indeterminate
void stack_end(Lowering *l, LLVMValueRef alloca);
void stack_restore(Lowering *l, LLVMValueRef call); // a call of llvm.stackrestore
// Ends the lifetimes that no marker ends, when the function returns: of parameters and of memory from alloca().
void stack_return(Lowering *l);
// Ends all objects of the activations whose bindings begin at `first`: these activations end without returning.
void stack_abandon(Lowering *l, size_t first);

#endif
