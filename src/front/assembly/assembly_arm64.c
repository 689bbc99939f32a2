// arm64: the table of instructions, the syntax of operands, conditions.
#include "front/assembly/assembly_arm64.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// --- operands ---

static bool find_register(const char *word, AsmName *name) {
  unsigned bits = word[0] == 'w' ? 32 : 64;
  char *end;
  if (strcmp(word, "xzr") == 0 || strcmp(word, "wzr") == 0) {
    *name = (AsmName){.present = true, .number = ARM_ZERO, .bits = bits};
    return true;
  }
  if ((word[0] != 'x' && word[0] != 'w') || !isdigit((unsigned char)word[1])) return false;
  unsigned long number = strtoul(word + 1, &end, 10);
  *name = (AsmName){.present = true, .number = (unsigned)number, .bits = bits};
  return !*end && number <= 30;
}

static unsigned register_number(const char *name) {
  AsmName found;
  return find_register(name, &found) ? found.number : NO_REGISTER;
}

static size_t word_length(const char *at) {
  size_t length = 0;
  while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '.') length++;
  return length;
}

// A register, or a template as one. False: another word.
static bool read_name(const char **at, AsmName *name) {
  char modifier, word[8] = {0};
  if (asm_read_template(at, name, &modifier)) {
    name->bits = modifier == 'w' ? 32 : 64;
    return modifier == 'w' || modifier == 'x' || modifier == ' ';
  }
  size_t length = word_length(*at);
  if (length == 0 || length >= sizeof word) return false;
  memcpy(word, *at, length);
  if (!find_register(word, name)) return false;
  *at += length;
  return true;
}

// `[x1]`, `[%0, #8]`
static bool read_memory(const char **at, AsmOperand *operand) {
  ++*at;
  asm_skip_blanks(at);
  if (!read_name(at, &operand->name)) return false;
  asm_skip_blanks(at);
  if (**at == ',') {
    ++*at;
    asm_skip_blanks(at);
    *at += **at == '#';
    if (!asm_read_number(at, &operand->value)) return false;
    asm_skip_blanks(at);
  }
  operand->kind = ASM_MEMORY;
  operand->scale = 1;
  return *(*at)++ == ']' && **at != '!';
}

static bool read_operand(const char **at, AsmOperand *operand) {
  *operand = (AsmOperand){0};
  if (**at == '[') return read_memory(at, operand);
  if (**at == '#' || isdigit((unsigned char)**at) || **at == '-') {
    *at += **at == '#';
    operand->kind = ASM_IMMEDIATE;
    if (asm_read_number(at, &operand->value)) return true;
    operand->kind = ASM_TEMPLATE; // `#%0`
    return read_name(at, &operand->name) && operand->name.template;
  }
  if (read_name(at, &operand->name)) {
    operand->kind = operand->name.template ? ASM_TEMPLATE : ASM_REGISTER;
    return true;
  }
  operand->kind = ASM_LABEL;
  operand->label = *at;
  operand->label_length = word_length(*at);
  *at += operand->label_length;
  return operand->label_length > 0;
}

// --- the table ---

static const AsmRow rows[] = {
    {"nop", arm_nothing, 0, 0, 0, 0, NULL},
    {"yield", arm_nothing, 0, 0, 0, 0, NULL},
    {"wfe", arm_nothing, 0, 0, 0, 0, NULL}, // events come at any time
    {"wfi", arm_nothing, 0, 0, 0, 0, NULL},
    {"sev", arm_nothing, 0, 0, 0, 0, NULL},
    {"sevl", arm_nothing, 0, 0, 0, 0, NULL},
    {"csdb", arm_nothing, 0, 0, 0, 0, NULL},
    {"isb", arm_nothing, 0, 1, 0, 0, NULL},
    {"dmb", arm_nothing, 1, 1, 0, 0, NULL},
    {"dsb", arm_nothing, 1, 1, 0, 0, NULL},
    {"hint", arm_nothing, 1, 1, 0, 0, NULL},
    {"prfm", arm_nothing, 2, 2, 0, 0, NULL},
    {"clrex", arm_clear_exclusive, 0, 0, 0, 0, NULL},
    {"mov", arm_two, 2, 2, ARM_MOV, 0, NULL},
    {"mvn", arm_two, 2, 2, ARM_MVN, 0, NULL},
    {"neg", arm_two, 2, 2, ARM_NEG, 0, NULL},
    {"clz", arm_two, 2, 2, ARM_CLZ, 0, NULL},
    {"rbit", arm_two, 2, 2, ARM_RBIT, 0, NULL},
    {"rev", arm_two, 2, 2, ARM_REV, 0, NULL},
    {"add", arm_three, 3, 3, ARM_ADD, 0, NULL},
    {"sub", arm_three, 3, 3, ARM_SUB, 0, NULL},
    {"and", arm_three, 3, 3, ARM_AND, 0, NULL},
    {"orr", arm_three, 3, 3, ARM_ORR, 0, NULL},
    {"eor", arm_three, 3, 3, ARM_EOR, 0, NULL},
    {"bic", arm_three, 3, 3, ARM_BIC, 0, NULL},
    {"orn", arm_three, 3, 3, ARM_ORN, 0, NULL},
    {"eon", arm_three, 3, 3, ARM_EON, 0, NULL},
    {"lsl", arm_three, 3, 3, ARM_LSL, 0, NULL},
    {"lsr", arm_three, 3, 3, ARM_LSR, 0, NULL},
    {"asr", arm_three, 3, 3, ARM_ASR, 0, NULL},
    {"mul", arm_three, 3, 3, ARM_MUL, 0, NULL},
    {"adds", arm_three, 3, 3, ARM_ADDS, 0, NULL},
    {"subs", arm_three, 3, 3, ARM_SUBS, 0, NULL},
    {"ands", arm_three, 3, 3, ARM_ANDS, 0, NULL},
    {"cmp", arm_compare, 2, 2, ARM_SUBS, 0, NULL},
    {"cmn", arm_compare, 2, 2, ARM_ADDS, 0, NULL},
    {"tst", arm_compare, 2, 2, ARM_ANDS, 0, NULL},
    {"cset", arm_set_condition, 2, 2, 0, 0, NULL},
    {"csel", arm_select, 4, 4, 0, 0, NULL},
    {"ldxp", arm_load_exclusive_pair, 3, 3, 0, 0, NULL},
    {"ldaxp", arm_load_exclusive_pair, 3, 3, 0, 0, NULL},
    {"stxp", arm_store_exclusive_pair, 4, 4, 0, 0, NULL},
    {"stlxp", arm_store_exclusive_pair, 4, 4, 0, 0, NULL},
    {"mrs", arm_system_register, 2, 2, 0, 0, NULL},
    {"b", arm_branch, 1, 1, 0, ROW_JUMPS, NULL},
    {"cbz", arm_branch_if, 2, 2, ARM_CBZ, ROW_JUMPS, NULL},
    {"cbnz", arm_branch_if, 2, 2, ARM_CBNZ, ROW_JUMPS, NULL},
    {"tbz", arm_branch_if, 3, 3, ARM_TBZ, ROW_JUMPS, NULL},
    {"tbnz", arm_branch_if, 3, 3, ARM_TBNZ, ROW_JUMPS, NULL},
};

// Names that go on with an order and a size: `ldaddalb`.
typedef struct Family {
  AsmRow row;
  bool ordered, sized;
} Family;
static const Family families[] = {
    {{"ldr", arm_load, 2, 2, 0, 0, NULL}, false, true},
    {{"ldur", arm_load, 2, 2, 0, 0, NULL}, false, true},
    {{"ldar", arm_load, 2, 2, 0, 0, NULL}, false, true},
    {{"ldapr", arm_load, 2, 2, 0, 0, NULL}, false, true},
    {{"str", arm_store, 2, 2, 0, 0, NULL}, false, true},
    {{"stur", arm_store, 2, 2, 0, 0, NULL}, false, true},
    {{"stlr", arm_store, 2, 2, 0, 0, NULL}, false, true},
    {{"ldxr", arm_load_exclusive, 2, 2, 0, 0, NULL}, false, true},
    {{"ldaxr", arm_load_exclusive, 2, 2, 0, 0, NULL}, false, true},
    {{"stxr", arm_store_exclusive, 3, 3, 0, 0, NULL}, false, true},
    {{"stlxr", arm_store_exclusive, 3, 3, 0, 0, NULL}, false, true},
    {{"cas", arm_compare_and_swap, 3, 3, 0, 0, NULL}, true, true},
    {{"casp", arm_compare_and_swap_pair, 5, 5, 0, 0, NULL}, true, false},
    {{"swp", arm_fetch, 3, 3, ARM_SWAP, 0, NULL}, true, true},
    {{"ldadd", arm_fetch, 3, 3, ARM_INCREASE, 0, NULL}, true, true},
    {{"ldclr", arm_fetch, 3, 3, ARM_CLEAR, 0, NULL}, true, true},
    {{"ldset", arm_fetch, 3, 3, ARM_SET, 0, NULL}, true, true},
    {{"ldeor", arm_fetch, 3, 3, ARM_FLIP, 0, NULL}, true, true},
    {{"stadd", arm_fetch_unused, 2, 2, ARM_INCREASE, 0, NULL}, true, true},
    {{"stclr", arm_fetch_unused, 2, 2, ARM_CLEAR, 0, NULL}, true, true},
    {{"stset", arm_fetch_unused, 2, 2, ARM_SET, 0, NULL}, true, true},
    {{"steor", arm_fetch_unused, 2, 2, ARM_FLIP, 0, NULL}, true, true},
};

static const AsmRow *find_in_family(AsmInstruction *i, const Family *family) {
  static const char *const orders[] = {"", "a", "l", "al"};
  if (!starts_with(i->name, family->row.name)) return NULL;
  const char *rest = i->name + strlen(family->row.name);
  for (size_t o = 0; o < (family->ordered ? 4 : 1); o++) {
    if (!starts_with(rest, orders[o])) continue;
    const char *size = rest + strlen(orders[o]);
    i->suffix_bits = strcmp(size, "b") == 0 ? 8 : strcmp(size, "h") == 0 ? 16 : 0;
    if (!*size || (family->sized && i->suffix_bits)) return &family->row;
  }
  return NULL;
}

static const AsmRow *find(AsmInstruction *i) {
  if (i->lock || i->repeat || i->repeat_while_unequal) return NULL;
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    if (strcmp(rows[r].name, i->name) == 0) return &rows[r];
  for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
    const AsmRow *row = find_in_family(i, &families[f]);
    if (row) return row;
  }
  // `b.ne` or `bne`: the condition is left.
  static const AsmRow conditional = {"b", arm_branch, 1, 1, 0, ROW_JUMPS, NULL};
  static const char *const conditions[] = {"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl",
                                           "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"};
  const char *condition = i->name + (i->name[1] == '.' ? 2 : 1);
  for (size_t c = 0; i->name[0] == 'b' && c < sizeof conditions / sizeof *conditions; c++) {
    if (strcmp(condition, conditions[c]) != 0) continue;
    memmove(i->name, conditions[c], 3);
    return &conditional;
  }
  return NULL;
}

// --- conditions ---

Term arm_condition(AsmMachine *m, const char *name) {
  static const char *const names[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                      "hi", "ls", "ge", "lt", "gt", "le", "hs", "lo"};
  size_t which = 0;
  while (which < 16 && strcmp(names[which], name) != 0) which++;
  if (which == 16) return TERM_NONE;
  if (which >= 14) which -= 12; // hs and lo are cs and cc
  TermStore *t = m->t;
  Term value;
  switch (which / 2) {
  case 0: value = machine_flag(m, FLAG_ZERO); break;
  case 1: value = machine_flag(m, FLAG_CARRY); break;
  case 2: value = machine_flag(m, FLAG_SIGN); break;
  case 3: value = machine_flag(m, FLAG_OVERFLOW); break;
  case 4: value = term_and(t, machine_flag(m, FLAG_CARRY), term_not(t, machine_flag(m, FLAG_ZERO))); break;
  default: value = term_eq(t, machine_flag(m, FLAG_SIGN), machine_flag(m, FLAG_OVERFLOW)); break;
  }
  if (which / 2 == 6) value = term_and(t, value, term_not(t, machine_flag(m, FLAG_ZERO)));
  return which % 2 ? term_not(t, value) : value;
}

const AsmProcessor asm_arm64 = {.comment = "//",
                                .read_operand = read_operand,
                                .find = find,
                                .register_number = register_number,
                                .condition = arm_condition};
