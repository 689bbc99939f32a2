// Types of the source, from debug information, and which of them an LLVM struct is.
//
// Every record that the debug information mentions is found once, so that the record behind %struct.queue is known by
// its name and size. Pointers, numbers and functions are scalars; their targets are not looked at.
#ifndef HEDDLE_FRONT_CODE_TYPES_H
#define HEDDLE_FRONT_CODE_TYPES_H

#include "base/map.h"
#include "base/vector.h"
#include "front/code/code.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

typedef enum CodeTypeKind { CODE_TYPE_SCALAR, CODE_TYPE_ARRAY, CODE_TYPE_STRUCT, CODE_TYPE_UNION } CodeTypeKind;

typedef struct CodeMember {
  const char *name; // NULL: none
  uint64_t offset, size;
  uint32_t type;
  bool bit_field; // then `offset` and `size` are those of the bytes that it touches
} CodeMember;

struct CodeType {
  CodeTypeKind kind;
  const char *name; // "struct queue", "int"; NULL: none
  uint64_t size;
  uint64_t count;   // of an array; 0: not known
  uint32_t element; // of an array
  const CodeMember *members;
  uint32_t member_count;
};

VECTOR(CodeTypeVector, CodeType);

typedef struct TypeReader {
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  Code *code;
  Account *account;
  CodeTypeVector types;
  Interner names;
  Map known;   // metadata -> type
  Map records; // interned "struct.queue 48" -> type
  Map structs; // LLVM struct -> type
} TypeReader;

void types_init(TypeReader *t, LLVMModuleRef module, Code *code, Account *account);
void types_free(TypeReader *t);
uint32_t types_of_variable(TypeReader *t, LLVMValueRef variable); // metadata of a declaration, or NULL
uint32_t types_of_struct(TypeReader *t, LLVMTypeRef type);        // NO_CODE_ID: not known

#endif
