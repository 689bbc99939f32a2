// x86, 32 and 64 bit, in AT&T syntax: what the table of instructions and their execution share.
//
// Registers have the processor's own numbers. Flags: the four of AsmFlag and the parity, which is kept as the result
// that it is of.
#ifndef HEDDLE_FRONT_ASSEMBLY_ASSEMBLY_X86_H
#define HEDDLE_FRONT_ASSEMBLY_ASSEMBLY_X86_H

#include "front/assembly/assembly.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

typedef enum X86Operation {
  X86_ADD, // arithmetic with two operands
  X86_OR,
  X86_ADC,
  X86_SBB,
  X86_AND,
  X86_SUB,
  X86_XOR,
  X86_CMP,
  X86_TEST,
  X86_INC, // with one operand
  X86_DEC,
  X86_NEG,
  X86_NOT,
  X86_SHL, // shifts
  X86_SHR,
  X86_SAR,
  X86_ROL,
  X86_ROR,
  X86_BT, // bits
  X86_BTS,
  X86_BTR,
  X86_BTC,
  X86_BSF,
  X86_BSR,
  X86_TZCNT,
  X86_LZCNT,
  X86_POPCNT,
  X86_RDTSC, // values from outside
  X86_RDTSCP,
  X86_CPUID,
  X86_XGETBV
} X86Operation;

void x86_nothing(AsmMachine *m, const AsmInstruction *i);
void x86_trap(AsmMachine *m, const AsmInstruction *i); // the process ends
void x86_move(AsmMachine *m, const AsmInstruction *i);
void x86_extend(AsmMachine *m, const AsmInstruction *i); // movzbl and its like
void x86_lea(AsmMachine *m, const AsmInstruction *i);
void x86_push(AsmMachine *m, const AsmInstruction *i);
void x86_pop(AsmMachine *m, const AsmInstruction *i);
void x86_push_flags(AsmMachine *m, const AsmInstruction *i);
void x86_pop_flags(AsmMachine *m, const AsmInstruction *i);
void x86_exchange(AsmMachine *m, const AsmInstruction *i);
void x86_exchange_add(AsmMachine *m, const AsmInstruction *i);
void x86_compare_exchange(AsmMachine *m, const AsmInstruction *i);
void x86_compare_exchange_pair(AsmMachine *m, const AsmInstruction *i); // cmpxchg8b, cmpxchg16b
void x86_two(AsmMachine *m, const AsmInstruction *i);
void x86_one(AsmMachine *m, const AsmInstruction *i);
void x86_shift(AsmMachine *m, const AsmInstruction *i);
void x86_multiply(AsmMachine *m, const AsmInstruction *i);
void x86_swap_bytes(AsmMachine *m, const AsmInstruction *i);
void x86_bit_test(AsmMachine *m, const AsmInstruction *i);
void x86_bit_scan(AsmMachine *m, const AsmInstruction *i);
void x86_set(AsmMachine *m, const AsmInstruction *i);
void x86_conditional_move(AsmMachine *m, const AsmInstruction *i);
void x86_jump(AsmMachine *m, const AsmInstruction *i);
void x86_outside(AsmMachine *m, const AsmInstruction *i);
void x86_random(AsmMachine *m, const AsmInstruction *i);
void x86_string(AsmMachine *m, const AsmInstruction *i); // stos, movs

// --- operands, for those ---
unsigned x86_size(AsmMachine *m, const AsmInstruction *i); // in bits: by the suffix, or by the registers
Term x86_read(AsmMachine *m, const AsmOperand *operand, unsigned bits);
void x86_write(AsmMachine *m, const AsmOperand *operand, Term value);
Term x86_condition(AsmMachine *m, const char *name); // TERM_NONE: no such condition

#endif
