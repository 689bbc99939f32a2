// Compiling terms to instructions: the part of compile.c that knows the operators.
//
// A TermCompiler gives each distinct subterm of an edge one register. `compiler_begin` starts an edge.
#ifndef HEDDLE_EXPLICIT_MACHINE_COMPILE_TERM_H
#define HEDDLE_EXPLICIT_MACHINE_COMPILE_TERM_H

#include "explicit/machine/compile.h"

typedef struct TermCompiler {
  MachineCode *code;
  const Program *program;
  Map constants;   // value -> constant register
  Map registers;   // term -> register, of the present edge
  uint32_t next;   // next temporary
  VariableId into; // variable whose value is in `into_register`, or NO_ID
  uint16_t into_register;
} TermCompiler;

void compiler_init(TermCompiler *compiler, MachineCode *code);
void compiler_free(TermCompiler *compiler);
void compiler_begin(TermCompiler *compiler, VariableId into);
// The register that holds the term's value (at most 64 bits) after the instructions emitted so far.
uint16_t compiler_term(TermCompiler *compiler, Term term);

#endif
