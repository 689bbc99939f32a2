// arm64: what the table of instructions and their execution share. The destination is the first operand.
//
// Registers 0 to 30 have the processor's numbers, 31 reads as zero. The flags N, Z, C and V are FLAG_SIGN, FLAG_ZERO,
// FLAG_CARRY and FLAG_OVERFLOW; the carry of a subtraction is set when it does not borrow. A barrier's domain, a
// condition or a system register is a word: an operand of kind ASM_LABEL.
#ifndef HEDDLE_FRONT_ASSEMBLY_ASSEMBLY_ARM64_H
#define HEDDLE_FRONT_ASSEMBLY_ASSEMBLY_ARM64_H

#include "front/assembly/assembly.h"

enum { ARM_ZERO = 31 };

typedef enum ArmOperation {
  ARM_ADD, // arithmetic with three operands
  ARM_SUB,
  ARM_AND,
  ARM_ORR,
  ARM_EOR,
  ARM_BIC,
  ARM_ORN,
  ARM_EON,
  ARM_LSL,
  ARM_LSR,
  ARM_ASR,
  ARM_MUL,
  ARM_ADDS, // and flags
  ARM_SUBS,
  ARM_ANDS,
  ARM_MOV, // with two
  ARM_MVN,
  ARM_NEG,
  ARM_CLZ,
  ARM_RBIT,
  ARM_REV,
  ARM_SWAP, // one access that reads and writes
  ARM_CLEAR,
  ARM_SET,
  ARM_FLIP,
  ARM_INCREASE,
  ARM_CBZ, // jumps
  ARM_CBNZ,
  ARM_TBZ,
  ARM_TBNZ
} ArmOperation;

void arm_nothing(AsmMachine *m, const AsmInstruction *i);
void arm_clear_exclusive(AsmMachine *m, const AsmInstruction *i);
void arm_two(AsmMachine *m, const AsmInstruction *i);
void arm_three(AsmMachine *m, const AsmInstruction *i);
void arm_compare(AsmMachine *m, const AsmInstruction *i);
void arm_set_condition(AsmMachine *m, const AsmInstruction *i);
void arm_select(AsmMachine *m, const AsmInstruction *i);
void arm_load(AsmMachine *m, const AsmInstruction *i);
void arm_store(AsmMachine *m, const AsmInstruction *i);
void arm_load_exclusive(AsmMachine *m, const AsmInstruction *i);
void arm_store_exclusive(AsmMachine *m, const AsmInstruction *i);
void arm_load_exclusive_pair(AsmMachine *m, const AsmInstruction *i);
void arm_store_exclusive_pair(AsmMachine *m, const AsmInstruction *i);
void arm_compare_and_swap(AsmMachine *m, const AsmInstruction *i);
void arm_compare_and_swap_pair(AsmMachine *m, const AsmInstruction *i);
void arm_fetch(AsmMachine *m, const AsmInstruction *i);        // ldadd, swp, ...
void arm_fetch_unused(AsmMachine *m, const AsmInstruction *i); // stadd, ...
void arm_branch(AsmMachine *m, const AsmInstruction *i);
void arm_branch_if(AsmMachine *m, const AsmInstruction *i); // cbz, tbz, ...
void arm_system_register(AsmMachine *m, const AsmInstruction *i);

Term arm_condition(AsmMachine *m, const char *name); // TERM_NONE: no such condition

#endif
