// What the files of this folder share while a unit is read. Nothing else includes it.
//
// A Reader walks the copy of the user's module once, function by function. Statements are appended with the operands
// that wait in `pending`: a function that makes a statement remembers pending.count, adds operands, and calls
// reader_emit, which takes all of them from that mark on. So constants that need statements of their own (an
// address computed in a way that has no number) can emit them in between.
#ifndef HEDDLE_FRONT_CODE_READER_H
#define HEDDLE_FRONT_CODE_READER_H

#include "base/map.h"
#include "front/code/code.h"
#include "front/code/types.h"
#include "front/module/unit.h"

VECTOR(CodeFunctionVector, CodeFunction);
VECTOR(CodeObjectVector, CodeObject);
VECTOR(CodeInitialVector, CodeInitial);
VECTOR(CodeBlockVector, CodeBlock);
VECTOR(CodeEdgeVector, CodeEdge);
VECTOR(CodeStatementVector, CodeStatement);
VECTOR(CodeOperandVector, CodeOperand);
VECTOR(CodePositionVector, CodePosition);
VECTOR(BlockRefVector, LLVMBasicBlockRef);

typedef struct Reader {
  FrontUnit *unit;
  LLVMModuleRef module; // the copy
  LLVMTargetDataRef layout;
  LLVMValueRef indeterminate; // a global: the value of a variable that was given none
  Account *account;
  Code *code;
  CodeFunctionVector functions;
  CodeObjectVector objects;
  CodeInitialVector initials;
  CodeBlockVector blocks;
  CodeEdgeVector edges;
  CodeStatementVector statements;
  CodeOperandVector operands, pending;
  CodePositionVector positions;
  U32Vector register_statements;
  U64Vector bodies;             // per function: its LLVMValueRef
  StringVector files;           // interned names
  U32Vector file_lines;         // per file: the largest line seen
  Map function_ids, object_ids; // LLVM globals -> numbers
  Map call_arguments;           // function -> the most arguments that a direct call passes
  unsigned most_arguments;      // that a call through a pointer passes
  Map file_ids, position_ids;   // interned name -> file; file and line -> position
  Interner strings;             // names of files
  TypeReader types;
  Map registers;    // instruction or parameter -> register
  Map block_ids;    // LLVMBasicBlockRef -> block
  Map declarations; // alloca -> metadata of its declaration in the source
  // of the function being read
  BlockRefVector order; // its blocks
  uint32_t function, block, position;
} Reader;

// read.c
// Appends the statement with the pending operands from `mark` on. `result` NULL: it has none.
CodeStatement *reader_emit(Reader *r, CodeStatementKind kind, LLVMValueRef result, size_t mark);
// The same, but CODE_COMPUTE may have one operand: the result is 0 exactly if the operand is.
CodeStatement *reader_emit_exactly(Reader *r, CodeStatementKind kind, LLVMValueRef result, size_t mark);
// The same with a new register as result; returns it as an operand.
CodeOperand reader_emit_new(Reader *r, CodeStatementKind kind, size_t mark);
void reader_push(Reader *r, LLVMValueRef value); // as a pending operand
void reader_push_operand(Reader *r, CodeOperand operand);

// operands.c
CodeOperand read_operand(Reader *r, LLVMValueRef value);
// A constant as one operand. False: it is not one.
bool read_constant(Reader *r, LLVMValueRef value, CodeOperand *operand);
// All addresses that the constant is made of, as pending operands.
void read_addresses(Reader *r, LLVMValueRef constant);
static inline CodeOperand number_operand(int64_t number) {
  return (CodeOperand){.kind = CODE_NUMBER, .id = NO_CODE_ID, .number = number};
}
static inline CodeOperand nothing_operand(void) { return (CodeOperand){.kind = CODE_NOTHING, .id = NO_CODE_ID}; }

// move.c
typedef struct AddressMove {
  int64_t offset;
  uint64_t stride, extent;
} AddressMove;
AddressMove read_move(Reader *r, LLVMValueRef gep); // of an instruction or a constant expression
void read_move_instruction(Reader *r, LLVMValueRef gep);

// index_limits.c
// The largest value that an index, which is then not negative, has in any execution. False: none is known.
bool index_limit(LLVMValueRef index, uint64_t *most);

// no_values.c
LLVMValueRef mark_indeterminate_variables(LLVMModuleRef module); // before mem2reg; gives Reader.indeterminate

// lives.c
bool reader_local_lasts(Reader *r, LLVMValueRef alloca, LLVMValueRef variable); // CodeObject.lasting

// globals.c
void read_globals(Reader *r);
void read_functions(Reader *r); // their numbers, names and parameters
void read_initials(Reader *r);
void read_tables(Reader *r); // constructors and destructors
uint32_t reader_function(Reader *r, LLVMValueRef function);
uint32_t reader_object(Reader *r, LLVMValueRef global);

// edges.c
void read_order(Reader *r, LLVMValueRef function); // the blocks, reverse postorder, with `in_cycle`
void read_edges(Reader *r, LLVMBasicBlockRef block);

// instructions.c
void read_instruction(Reader *r, LLVMValueRef instruction);
uint64_t reader_size(const Reader *r, LLVMTypeRef type); // of an access to a value of the type
bool reader_has_value(LLVMValueRef instruction);
uint32_t reader_local(Reader *r, const char *name, uint64_t size); // a new automatic object

// call_statements.c
void read_call(Reader *r, LLVMValueRef call);
void read_count_arguments(Reader *r);
// The statements of a function that another one chooses when the program starts (ifunc): that one is called, then what
// it returned.
void read_indirect_function(Reader *r, LLVMValueRef function);

// intrinsics.c
void read_intrinsic(Reader *r, LLVMValueRef call, const char *name);

// assembly.c
void read_assembly(Reader *r, LLVMValueRef call);

// debug_places.c
void reader_set_position(Reader *r, LLVMValueRef instruction);
uint32_t reader_function_position(Reader *r, LLVMValueRef function);
uint32_t reader_variable_position(Reader *r, LLVMValueRef variable); // metadata
LLVMValueRef reader_global_variable(Reader *r, LLVMValueRef global); // metadata, or NULL
void reader_find_declarations(Reader *r, LLVMValueRef function);
const char *reader_variable_name(Reader *r, LLVMValueRef variable); // NULL: none
void reader_shorten_files(Reader *r);                               // of all positions

#endif
