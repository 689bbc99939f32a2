#include "explicit/machine/compile_term.h"

void compiler_init(TermCompiler *compiler, MachineCode *code) {
  *compiler = (TermCompiler){.code = code, .program = code->layout->program};
  map_init(&compiler->constants, code->account);
  map_init(&compiler->registers, code->account);
  for (size_t i = 0; i < code->constants.count; i++) map_put(&compiler->constants, code->constants.data[i], i);
}

void compiler_free(TermCompiler *compiler) {
  map_free(&compiler->constants);
  map_free(&compiler->registers);
}

void compiler_begin(TermCompiler *compiler, VariableId into) {
  map_clear(&compiler->registers);
  compiler->next = FIRST_TEMPORARY;
  compiler->into = into;
  compiler->into_register = into == NO_ID ? 0 : (uint16_t)compiler->next++;
}

static uint16_t emit(TermCompiler *compiler, Instruction instruction) {
  assert(compiler->next < REGISTER_COUNT);
  instruction.target = (uint16_t)compiler->next++;
  InstructionVector_push(&compiler->code->instructions, instruction);
  return instruction.target;
}

static uint16_t compile_constant(TermCompiler *compiler, uint64_t value) {
  uint64_t index;
  if (!map_get(&compiler->constants, value, &index)) {
    index = compiler->code->constants.count;
    U64Vector_push(&compiler->code->constants, value);
    map_put(&compiler->constants, value, index);
  }
  if (index < FIRST_TEMPORARY) return (uint16_t)index;
  return emit(compiler, (Instruction){.operation = MACHINE_CONSTANT, .width = 64, .immediate = (uint32_t)index});
}

static uint16_t compile_variable(TermCompiler *compiler, Term term) {
  VariableId variable = program_variable_of_term(compiler->program, term);
  assert(variable != NO_ID); // cells are only read through accesses
  if (variable == compiler->into) return compiler->into_register;
  const Place *place = &compiler->code->layout->variables[variable];
  assert(place->offset != NO_ID && place->bytes <= 8); // it is read, so it is live
  MachineOperation load = place->bytes == 1   ? MACHINE_LOAD1
                          : place->bytes == 2 ? MACHINE_LOAD2
                          : place->bytes == 4 ? MACHINE_LOAD4
                                              : MACHINE_LOAD8;
  return emit(
      compiler,
      (Instruction){.operation = (uint8_t)load, .width = (uint8_t)(8 * place->bytes), .immediate = place->offset});
}

// The instruction for an operator that has one of its own, else MACHINE_APPLY.
static MachineOperation operation_of(TermOperator op) {
  switch (op) {
  case TERM_NOT: return MACHINE_NOT;
  case TERM_NEG: return MACHINE_NEG;
  case TERM_AND: return MACHINE_AND;
  case TERM_OR: return MACHINE_OR;
  case TERM_XOR: return MACHINE_XOR;
  case TERM_ADD: return MACHINE_ADD;
  case TERM_SUB: return MACHINE_SUB;
  case TERM_MUL: return MACHINE_MUL;
  case TERM_UDIV: return MACHINE_UDIV;
  case TERM_UREM: return MACHINE_UREM;
  case TERM_SDIV: return MACHINE_SDIV;
  case TERM_SREM: return MACHINE_SREM;
  case TERM_SHL: return MACHINE_SHL;
  case TERM_LSHR: return MACHINE_LSHR;
  case TERM_ASHR: return MACHINE_ASHR;
  case TERM_CONCAT: return MACHINE_CONCAT;
  case TERM_EXTRACT: return MACHINE_EXTRACT;
  case TERM_SEXT: return MACHINE_SEXT;
  case TERM_EQ: return MACHINE_EQ;
  case TERM_ULT: return MACHINE_ULT;
  case TERM_ULE: return MACHINE_ULE;
  case TERM_SLT: return MACHINE_SLT;
  case TERM_SLE: return MACHINE_SLE;
  case TERM_ITE: return MACHINE_ITE;
  default: return MACHINE_APPLY;
  }
}

static uint32_t immediate_of(const TermStore *terms, Term term, MachineOperation operation) {
  switch (operation) {
  case MACHINE_CONCAT: return term_width(terms, term_child(terms, term, 1));
  case MACHINE_EXTRACT: return term_parameter(terms, term, 1);
  case MACHINE_SEXT:
  case MACHINE_EQ:
  case MACHINE_ULT:
  case MACHINE_ULE:
  case MACHINE_SLT:
  case MACHINE_SLE: return term_width(terms, term_child(terms, term, 0));
  case MACHINE_APPLY: return term;
  default: return 0;
  }
}

// Can the operator be computed on 64-bit registers?
static bool is_narrow(const TermStore *terms, Term term) {
  if (sort_is_array(term_sort(terms, term)) || term_width(terms, term) > 64) return false;
  for (unsigned i = 0; i < term_arity(terms, term); i++) {
    Sort sort = term_sort(terms, term_child(terms, term, i));
    if (sort_is_array(sort) || sort > 64) return false;
  }
  return true;
}

static uint16_t compile_operator(TermCompiler *compiler, Term term) {
  const TermStore *terms = compiler->program->terms;
  Instruction instruction = {.width = (uint8_t)term_width(terms, term)};
  bool room = compiler->next + 4096 < REGISTER_COUNT; // for this one and those that wait for it
  if (!is_narrow(terms, term) || !room) {
    instruction.operation = MACHINE_WIDE;
    instruction.immediate = term;
    return emit(compiler, instruction);
  }
  uint16_t children[3] = {0};
  for (unsigned i = 0; i < term_arity(terms, term); i++)
    children[i] = compiler_term(compiler, term_child(terms, term, i));
  if (term_operator(terms, term) == TERM_ZEXT) return children[0]; // high bits are zero already
  MachineOperation operation = operation_of(term_operator(terms, term));
  instruction.operation = (uint8_t)operation;
  instruction.a = children[0];
  instruction.b = children[1];
  instruction.c = children[2];
  instruction.immediate = immediate_of(terms, term, operation);
  return emit(compiler, instruction);
}

uint16_t compiler_term(TermCompiler *compiler, Term term) {
  const TermStore *terms = compiler->program->terms;
  assert(term_width(terms, term) <= 64);
  if (term_is_constant(terms, term)) return compile_constant(compiler, (uint64_t)term_constant_value(terms, term));
  uint64_t known;
  if (map_get(&compiler->registers, term, &known)) return (uint16_t)known;
  bool variable = term_operator(terms, term) == TERM_VARIABLE;
  uint16_t target = variable ? compile_variable(compiler, term) : compile_operator(compiler, term);
  map_put(&compiler->registers, term, target);
  return target;
}
