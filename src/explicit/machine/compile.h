// Register bytecode for the steps of a program, over the state vector of a StateLayout.
//
// Each edge (of one step) becomes an EdgeCode: one run of instructions in three parts, evaluated in this order:
//   address   the address of the access
//   guard     what the guard needs; the loaded value stands in `into_register` before this part
//   effect    what the stored value, the operand and the assignments need
// and lists of what to write and to clear afterwards. Instructions only compute; reading and writing memory is done by
// the machine between the parts. Values are at most 64 bits wide; terms over wider ones are left to term_evaluate.
//
// Registers below FIRST_TEMPORARY hold the program's constants, once for all; the others belong to the edge at hand.
#ifndef HEDDLE_EXPLICIT_MACHINE_COMPILE_H
#define HEDDLE_EXPLICIT_MACHINE_COMPILE_H

#include "explicit/machine/state_layout.h"

// X(NAME): what an instruction does; semantics as in term.h.
// clang-format off
#define MACHINE_OPERATIONS(X)                                                                                          \
  X(LOAD1) X(LOAD2) X(LOAD4) X(LOAD8)                /* target = vector[immediate] */                                  \
  X(CONSTANT)                                        /* target = constants[immediate], where registers ran out */      \
  X(NOT) X(NEG) X(AND) X(OR) X(XOR)                                                                                    \
  X(ADD) X(SUB) X(MUL) X(UDIV) X(UREM) X(SDIV) X(SREM) X(SHL) X(LSHR) X(ASHR)                                          \
  X(CONCAT)                                          /* immediate: width of the low part */                            \
  X(EXTRACT)                                         /* immediate: low bit */                                          \
  X(SEXT)                                            /* immediate: width of the child */                               \
  X(EQ) X(ULT) X(ULE) X(SLT) X(SLE)                  /* immediate: width of the children */                            \
  X(ITE)                                             /* a ? b : c */                                                   \
  X(APPLY)                                           /* term_apply of the operator of the term `immediate` */          \
  X(WIDE)                                            /* term_evaluate of the term `immediate` */
// clang-format on

typedef enum MachineOperation {
#define X(name) MACHINE_##name,
  MACHINE_OPERATIONS(X)
#undef X
      MACHINE_OPERATION_COUNT
} MachineOperation;

typedef struct Instruction {
  uint8_t operation, width; // width of the result
  uint16_t target, a, b, c;
  uint32_t immediate;
} Instruction;
VECTOR(InstructionVector, Instruction);

enum { FIRST_TEMPORARY = 0x8000, REGISTER_COUNT = 0x10000 };

typedef enum AccessMode {
  ACCESS_NONE,
  ACCESS_DIRECT,  // one cell of at most 8 bytes, always valid, never indeterminate: `offset`
  ACCESS_FIXED,   // the address is constant: `cell`
  ACCESS_STRIDED, // the cells are equally large and adjacent: found by division
  ACCESS_SEARCHED,
  ACCESS_INVALID // never valid
} AccessMode;

// LOADED, COPY: indeterminate if what was loaded or copied is.
typedef enum WriteKind {
  WRITE_REGISTER,
  WRITE_WIDE,
  WRITE_INPUT,
  WRITE_INDETERMINATE,
  WRITE_LOADED,
  WRITE_COPY
} WriteKind;

typedef struct VariableWrite {
  WriteKind kind;
  VariableId variable;
  uint32_t offset, flag;
  uint8_t bytes, width;
  uint16_t source; // WRITE_REGISTER, WRITE_LOADED, WRITE_COPY
  uint32_t copied; // WRITE_COPY: the flag of what is copied
  Term term;       // WRITE_WIDE
} VariableWrite;
VECTOR(VariableWriteVector, VariableWrite);

typedef struct Clear {
  uint32_t offset;
  uint32_t bytes;
} Clear;
VECTOR(ClearVector, Clear);

typedef struct EdgeCode {
  EdgeId edge;
  StepId step;
  LocationId from, to;
  uint8_t kind;   // StepKind
  uint8_t access; // AccessMode
  uint8_t access_bytes;
  bool reads, writes, forgets; // reads: not idly; forgets: the cells become indeterminate
  bool carries;                // an indeterminate cell is loaded as it is
  bool guard_true;             // constant
  bool guard_needs_load;
  bool wide; // 16 bytes are loaded or stored, or a wide variable is written
  bool back;
  uint16_t address_register, guard_register, stored_register, into_register, operand_register;
  uint32_t offset;      // ACCESS_DIRECT
  uint32_t stored_flag; // the flag of the carrier that is stored, or NO_ID
  CellId cell;          // ACCESS_FIXED, ACCESS_STRIDED: the (first) cell
  uint32_t first_instruction, address_end, guard_end, end;
  uint32_t first_write, write_count;
  uint32_t first_clear, clear_count;
  bool makes_inputs; // some write is WRITE_INPUT
} EdgeCode;

// A variable that may be indeterminate when a location's steps read it.
typedef struct Resolve {
  VariableId variable;
  uint32_t offset, flag;
  uint8_t bytes, width;
} Resolve;
VECTOR(ResolveVector, Resolve);

typedef struct LocationCode {
  uint32_t first_edge, edge_count; // in MachineCode.edges: the out-edges of a location are adjacent
  uint32_t first_resolve, resolve_count;
  bool exclusive; // at most one out-edge can be taken at a time
  bool complete;  // at least one out-edge can always be taken, whatever memory holds
  bool chooses;   // taking a step here may need a choice
} LocationCode;

typedef struct MachineCode {
  const StateLayout *layout;
  InstructionVector instructions;
  VariableWriteVector writes;
  ClearVector clears;
  ResolveVector resolves;
  U64Vector constants;
  EdgeCode *edges;      // grouped by location
  uint32_t *edge_index; // EdgeId -> index in `edges`
  LocationCode *locations;
  size_t most_writes; // of any edge
  Account *account;
} MachineCode;

void machine_code_init(MachineCode *code, const StateLayout *layout, Account *account);
void machine_code_free(MachineCode *code);

#endif
