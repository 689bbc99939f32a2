// arm64.
#include "front/assembly.h"
static bool read_operand(const char **at, AsmOperand *operand) {
  (void)at;
  (void)operand;
  return false;
}
static const AsmRow *find(AsmInstruction *i) {
  (void)i;
  return NULL;
}
static unsigned register_number(const char *name) {
  (void)name;
  return NO_REGISTER;
}
static Term condition(AsmMachine *m, const char *name) {
  (void)m;
  (void)name;
  return TERM_NONE;
}
const AsmProcessor asm_arm64 = {"//", read_operand, find, register_number, condition};
