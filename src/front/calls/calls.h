// Calls: direct calls, calls through pointers, primitives, intrinsics, undefined functions, variable arguments, jumps.
//
// `lower_call` finds the function that is called. `call_callee` then decides how the call is lowered, in this order:
//   an LLVM intrinsic (intrinsic.c, target.c), a primitive or a function with a fixed meaning (primitive.c), a function
//   of <math.h> with constant arguments (arithmetic/mathematics.c), a function with a body (lower_inline), and last a
//   function without a body (undefined.c). In a slice, a function with a body may be replaced (undefined.c, too).
// A call through a pointer (pointer_call.c) becomes one case for each function that the pointer may hold; each case is
// lowered as a direct call.
//
// Invariants:
//   - Every way through a call either continues at `current` or ends in a step without continuation. No way is lost:
//     what is not modelled ends in a cut.
//   - CallArguments are copies in scratch memory; they stay valid while the callee is lowered.
#ifndef HEDDLE_FRONT_CALLS_CALLS_H
#define HEDDLE_FRONT_CALLS_CALLS_H

#include "front/lower/lower.h"

// The arguments of a call, each as the leaves of its type.
struct CallArguments {
  const Term **lists; // NULL: the argument has no terms, because `current` became NO_ID
  uint32_t *counts;
  size_t count;
  LLVMValueRef call; // the instruction, which knows how arguments are passed; NULL: the front end itself calls
  bool complete;     // false: an argument cannot be modelled; a cut was emitted
};

// --- call.c ---
static inline Term call_argument(Lowering *l, LLVMValueRef call, unsigned i) {
  assert(i < LLVMGetNumArgOperands(call));
  return value_term(l, LLVMGetOperand(call, i));
}
void lower_call(Lowering *l, LLVMValueRef call);
// The terms of the arguments at `current`; counts as one use of each argument.
CallArguments call_arguments(Lowering *l, LLVMValueRef call);
// `callee` is the function called, directly or through a pointer that holds it in this case.
void call_callee(Lowering *l, LLVMValueRef call, LLVMValueRef callee);
// Inlines a function with scalar arguments, at most CALL_MOST_SCALARS; result as of lower_inline.
enum { CALL_MOST_SCALARS = 8 };
const Term *call_function(Lowering *l, LLVMValueRef function, const Term *arguments, size_t count,
                          uint32_t *result_count);

// --- intrinsic.c, target.c: functions of LLVM; false: the intrinsic is not modelled ---
bool lower_intrinsic(Lowering *l, LLVMValueRef call, const char *name);
bool lower_target_intrinsic(Lowering *l, LLVMValueRef call,
                            const char *name); // of one processor; `name` without "llvm."

// --- primitive.c ---
// Lowers a call of reach_error or __VERIFIER_error that has no call instruction (the routine of a thread). False: the
// function is neither of them.
bool lower_error_function(Lowering *l, LLVMValueRef function);
// False: `name` is no primitive, or the program defines the function itself.
bool lower_primitive(Lowering *l, LLVMValueRef call, LLVMValueRef callee, const char *name);
// Begin and end of an atomic section. Only the outermost pair emits steps.
void lower_section_begin(Lowering *l);
void lower_section_end(Lowering *l);
// The end of the thread: its result and status are stored, its automatic objects end. `current` becomes NO_ID.
void lower_thread_end(Lowering *l, Term result);

// --- pointer_call.c, undefined.c ---
void call_through_pointer(Lowering *l, LLVMValueRef call);
void call_undefined(Lowering *l, LLVMValueRef call, const char *name);
void call_replaced(Lowering *l, LLVMValueRef call, const char *name, bool pure); // see front_slice.h
void call_bind_fresh(Lowering *l, LLVMValueRef call, const char *name);          // binds any value of the call's type
void call_bind_guess(Lowering *l, LLVMValueRef call, const char *name); // the same, but the real call has one result

// --- uses.c: which features of the library the program's functions make possible ---
bool uses_feature(const FrontUnit *unit, const char *feature);
bool lower_uses(Lowering *l, LLVMValueRef call, const char *name); // __heddle_uses_FEATURE; false: another function
void lower_key_limit(Lowering *l, LLVMValueRef call);

// --- varargs.c ---
// Passes the arguments behind the parameters as the calling convention says: they are stored in stack objects.
void varargs_pass(Lowering *l, Activation *callee, const CallArguments *arguments);
// For a library model: the arguments stay bindings; they are stored only when varargs_start or varargs_list needs it.
void varargs_keep(Lowering *l, Activation *callee, const CallArguments *arguments);
void lower_argument(Lowering *l, LLVMValueRef call); // a call of __heddle_argument_*
Term varargs_list(Lowering *l); // the address of a va_list for the present activation; TERM_NONE after a cut
// The position of a va_list: what its fields held when it was read.
typedef struct ListPlace {
  Term general, floating; // offsets in the register area (LP64)
  Term memory, registers; // addresses
} ListPlace;
ListPlace varargs_place(Lowering *l, Term list);
// The next argument of this width and kind; advances `place`.
Term varargs_next(Lowering *l, ListPlace *place, unsigned width, bool floating);
void varargs_start(Lowering *l, LLVMValueRef call);
void varargs_copy(Lowering *l, LLVMValueRef call);

// --- jump.c: setjmp and longjmp ---
void lower_setjmp(Lowering *l, LLVMValueRef call);
void lower_longjmp(Lowering *l, LLVMValueRef call);

#endif
