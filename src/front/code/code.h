// The code of a whole program, function by function, without inlining: what analyses of large programs read.
//
// A Code is a flat copy of the linked bitcode in a form without LLVM. Automatic variables whose address is not used
// are registers in single-assignment form (a copy of the module is put through LLVM's mem2reg, which neither adds,
// drops nor reorders an access to memory that another thread can reach). Every other access of the source is a
// statement.
//
// Numbers: functions, objects, registers, blocks and statements are numbered over the whole program, each
// function's registers, blocks and statements in one row. All order is that of the source files, so that it is the
// same on every run.
//
// Where a variable has no value, what is read from it is CODE_NOTHING, which is not left out of a choice.
//
// Aggregates: a register may hold a whole struct or vector. What addresses its members are is not distinguished.
//
// Arguments: a struct that is passed in memory is copied by the caller to an automatic object without a name, whose
// address is passed. A function that reads variable arguments (va_start) has parameters for as many as some call
// passes; it stores all of them anywhere in an automatic object named "...", to which its va_list points.
//
// Not statements: lifetimes, prefetches, hints, assembly without text. Left out: code behind a branch whose
// condition is constant. An ifunc is a defined function that calls its resolver and then what that returned.
//
// Assumptions: variables without volatile that change between setjmp and longjmp are not read afterwards (their
// value is indeterminate). Assembly that is understood touches its memory operands only; other assembly what its
// operands reach, among which are the objects and functions that its text names. Assembly outside functions does not
// name the program's objects, nor do symbols of the linker other than the bounds of sections (__start_SECTION,
// __stop_SECTION), which may be the address of any object in it.
//
// Ownership: the Code owns all arrays and strings; it does not refer to the unit.
#ifndef HEDDLE_FRONT_CODE_CODE_H
#define HEDDLE_FRONT_CODE_CODE_H

#include "base/arena.h"
#include "front/front.h"

#define NO_CODE_ID UINT32_MAX

typedef enum CodeOperandKind {
  CODE_NUMBER,   // an integer, or NULL
  CODE_REGISTER, // id: the register
  CODE_ADDRESS,  // the address of object id, plus number bytes
  CODE_FUNCTION, // the address of function id
  CODE_NOTHING   // a value that is no address: undefined, a floating-point number, a block's label
} CodeOperandKind;

typedef struct CodeOperand {
  CodeOperandKind kind;
  uint32_t id;
  // CODE_NUMBER: its value, sign-extended (a truth value is 0 or 1); wider than 64 bits: CODE_NOTHING.
  // CODE_ADDRESS: bytes.
  int64_t number;
} CodeOperand;

typedef enum CodeStatementKind {
  CODE_MOVE,     // result = operand 0 + offset + k * stride; 0 <= k * stride < extent, or any k if extent is 0
  CODE_CHOICE,   // result = one of the operands (phi, select, extracted from or inserted into an aggregate)
  CODE_COMPUTE,  // result, of `size` bytes (0: unknown), is computed from the operands; it may be an address if one is
                 // (numbers as addresses). With exactly one operand: the result is 0 exactly if that is (a change of
                 // width); else there is a second one, of CODE_NOTHING
  CODE_COMPARE,  // result = operand 0 `comparison` operand 1, with sign, as 0 or 1 (comparisons without sign: computed)
  CODE_LOCAL,    // result = the address of the automatic object `object`, born here
  CODE_LOAD,     // result = what is at operand 0
  CODE_STORE,    // operand 1 goes to operand 0
  CODE_EXCHANGE, // atomic: result = what is at operand 0, and operand 1 (computed with it) goes there; also exchanges
                 // that may fail (operand 2: what is compared)
  CODE_COPY_BLOCK, // `size` bytes (0: unknown) at operand 1 go to operand 0 (memcpy, memmove, struct assignment)
  CODE_FILL_BLOCK, // `size` bytes (0: unknown) at operand 0 are set (memset)
  CODE_CALL,       // result = operand 0 called with the other operands
  CODE_RETURN,     // of operand 0, if there is one
  CODE_FENCE,
  // Something that is not understood (inline assembly, setjmp, rare intrinsics): it may access and keep whatever its
  // operands reach; result is anything; `note` says what it is. After a setjmp nothing is known of what the thread did
  // before (which locks it holds): a longjmp from anywhere may have come here.
  CODE_OPAQUE
} CodeStatementKind;

typedef enum CodeComparison {
  CODE_EQUAL,
  CODE_UNEQUAL,
  CODE_LESS,
  CODE_AT_MOST,
  CODE_MORE,
  CODE_AT_LEAST
} CodeComparison;

typedef struct CodeStatement {
  CodeStatementKind kind;
  uint32_t function, block;
  uint32_t result; // a register, or NO_CODE_ID
  uint32_t first_operand, operand_count;
  uint32_t position; // in Code.positions
  uint32_t object;   // CODE_LOCAL
  uint32_t type;     // CODE_MOVE: the record whose member is addressed, in Code.types; or NO_CODE_ID
  uint64_t size;     // of accesses and blocks, and of what is computed, in bytes; 0: unknown
  int64_t offset;    // CODE_MOVE
  uint64_t stride, extent;
  // CODE_MOVE: k is the value of this register (with sign or of a greater width); or NO_CODE_ID. CODE_COMPUTE: what
  // `below` is about.
  uint32_t index;
  uint64_t most; // CODE_MOVE, if `bounded`
  // CODE_COMPUTE, if not 0: the result is 1 exactly if `index`, without sign, is less than this; then `index` is not
  // negative with sign.
  uint64_t below;
  CodeComparison comparison;
  bool atomic;      // an atomic access (of any order)
  bool is_volatile; // an access by a volatile lvalue
  bool computed;    // CODE_EXCHANGE: what is stored is computed with what was there
  bool jump_buffer; // CODE_OPAQUE: setjmp, which touches only the object that operand 0 points to, and keeps no address
  bool bounded;     // CODE_MOVE: 0 <= k <= most, whatever the values of variables are
  bool selects;     // CODE_CHOICE: the result is one of the operands, bit by bit: no aggregate is taken apart or made
  bool adds;        // CODE_COMPUTE: the result is operand 0 + operand 1, integers, which may wrap
  const char *note; // CODE_OPAQUE
} CodeStatement;

typedef enum CodeEdgeKind {
  CODE_ALWAYS,
  CODE_IF_NONZERO, // of the block's condition
  CODE_IF_ZERO,
  CODE_IF_EQUAL, // to `number`
  CODE_OTHERWISE // of a switch; or an edge about whose condition nothing is known
} CodeEdgeKind;

typedef struct CodeEdge {
  uint32_t target; // a block
  CodeEdgeKind kind;
  int64_t number;
} CodeEdge;

typedef struct CodeBlock {
  uint32_t function;
  uint32_t first_statement, statement_count;
  uint32_t first_edge, edge_count; // none: returns, or never goes on
  CodeOperand condition;
  bool in_cycle; // of its function's control flow
} CodeBlock;

typedef struct CodeFunction {
  const char *name; // as in the source; a static function that several files have: "queue.c:count"
  uint32_t position;
  bool defined, variadic, address_taken;
  bool at_start, at_exit;                    // a constructor, a destructor
  uint32_t first_parameter, parameter_count; // registers; with those for variable arguments
  uint32_t first_register, register_count;   // parameters included
  uint32_t first_block, block_count;         // the first is the entry; reverse postorder, reachable ones only
  uint32_t first_statement, statement_count;
} CodeFunction;

typedef enum CodeObjectKind {
  CODE_STATIC,       // a global, or a static local
  CODE_THREAD_LOCAL, // one for each thread
  CODE_AUTOMATIC     // one for each execution of its CODE_LOCAL
} CodeObjectKind;

typedef struct CodeObject {
  CodeObjectKind kind;
  const char *name;  // as in the source; a static local: "function.name"; unnamed: NULL
  uint32_t function; // of CODE_AUTOMATIC
  uint32_t position;
  uint32_t type; // in Code.types, or NO_CODE_ID
  uint64_t size; // in bytes; 0: unknown (variable size, declared only without a length)
  bool constant; // never written: const with an initialiser
  bool external; // declared, but defined in no file
  bool lasting;  // CODE_AUTOMATIC: no register of its function that has its address (computed by moves and choices
                 // alone) is used after the life in which it got the address; must
} CodeObject;

// `operand`, an address, is in the static object at this offset when the program starts.
typedef struct CodeInitial {
  uint32_t object;
  uint64_t offset;
  CodeOperand operand;
} CodeInitial;

typedef struct CodePosition {
  const char *file; // as `check` prints it; NULL: not known
  uint32_t line;
  const char *short_file; // the shortest end of `file`, of whole names, that no other file of the code has; for people
} CodePosition;

// A struct, union, array or scalar, to name the parts of objects.
typedef struct CodeType CodeType;

typedef struct Code {
  Arena arena;
  CodeFunction *functions;
  CodeObject *objects;
  CodeInitial *initials;
  CodeBlock *blocks;
  CodeEdge *edges;
  CodeStatement *statements;
  CodeOperand *operands;
  CodePosition *positions;
  CodeType *types;
  uint32_t function_count, object_count, initial_count, block_count, edge_count, statement_count, operand_count,
      position_count, type_count, register_count;
  uint32_t *register_statements; // per register: the statement whose result it is; NO_CODE_ID: a parameter
  uint32_t main;                 // function, or NO_CODE_ID
  unsigned pointer_bytes;
  // Some constant text contains a conversion %n, with which printf writes, or %m, with which scanf allocates.
  bool counting_format;
  bool file_assembly; // there is assembly outside of functions, which is not read
  uint64_t lines;     // of source, without what headers of the system bring
} Code;

Code *code_read(FrontUnit *unit, Account *account);
void code_free(Code *code);

// Appends the whole code as text, one line for each statement, for people and tests.
void code_print(const Code *code, Text *out);

// The function of that name (in the source); NO_CODE_ID if there is none.
uint32_t code_find_function(const Code *code, const char *name);

// Appends the name of the innermost part that is at this offset of a value of the type, to stand after the name of
// the value: ".head", ".table[3].next", "[2]". Indices are left out ("[]") if `any_index`. Appends nothing if there
// is no part with a name. Of a union, it is in the first member that contains the offset.
void code_part_name(const Code *code, uint32_t type, uint64_t offset, bool any_index, Text *out);
const char *code_type_name(const Code *code, uint32_t type); // "struct queue"; NULL: none
uint64_t code_type_size(const Code *code, uint32_t type);    // 0: not known

static inline CodeOperand code_operand(const Code *code, const CodeStatement *statement, uint32_t index) {
  assert(index < statement->operand_count);
  return code->operands[statement->first_operand + index];
}

#endif
