// x86: the table of instructions, the syntax of operands, conditions.
#include "front/assembly/assembly_x86.h"

#include <ctype.h>
#include <string.h>

// --- registers ---

typedef struct X86Register {
  const char *name;
  uint8_t number, bits;
  bool high;
} X86Register;

// The first eight, by their number.
static const char *const old_names[][4] = {
    {"al", "ax", "eax", "rax"},  {"cl", "cx", "ecx", "rcx"},  {"dl", "dx", "edx", "rdx"},  {"bl", "bx", "ebx", "rbx"},
    {"spl", "sp", "esp", "rsp"}, {"bpl", "bp", "ebp", "rbp"}, {"sil", "si", "esi", "rsi"}, {"dil", "di", "edi", "rdi"}};
static const char *const high_names[] = {"ah", "ch", "dh", "bh"};

// `r8` to `r15`, with b, w or d behind.
static bool new_register(const char *name, X86Register *out) {
  if (name[0] != 'r' || !isdigit((unsigned char)name[1])) return false;
  unsigned number = (unsigned)(name[1] - '0'), digits = 1;
  if (isdigit((unsigned char)name[2])) number = number * 10 + (unsigned)(name[1 + digits++] - '0');
  char suffix = name[1 + digits];
  if (number < 8 || number > 15 || (suffix && name[2 + digits])) return false;
  out->number = (uint8_t)number;
  out->bits = suffix == 'b' ? 8 : suffix == 'w' ? 16 : suffix == 'd' ? 32 : 64;
  return !suffix || out->bits < 64;
}

static bool find_register(const char *name, X86Register *out) {
  *out = (X86Register){.name = name};
  for (uint8_t n = 0; n < 8; n++) {
    for (uint8_t size = 0; size < 4; size++) {
      if (strcmp(old_names[n][size], name) != 0) continue;
      out->number = n;
      out->bits = (uint8_t)(8 << size);
      return true;
    }
    if (n >= 4 || strcmp(high_names[n], name) != 0) continue;
    *out = (X86Register){name, n, 8, true};
    return true;
  }
  return new_register(name, out);
}

static unsigned register_number(const char *name) {
  X86Register found;
  return find_register(name, &found) ? found.number : NO_REGISTER;
}

// --- operands ---

static bool read_register(const char **at, AsmName *name) {
  char word[8] = {0};
  ++*at; // the percent sign
  asm_skip_blanks(at);
  size_t length = 0;
  while (isalnum((unsigned char)(*at)[length])) length++;
  if (length == 0 || length >= sizeof word) return false;
  memcpy(word, *at, length);
  *at += length;
  X86Register found;
  if (!find_register(word, &found)) return false;
  *name = (AsmName){.present = true, .number = found.number, .bits = found.bits, .high = found.high};
  return true;
}

// A template as a register or immediate; `address`: it has the modifier for an address.
static bool read_template(const char **at, AsmName *name, bool *address) {
  char modifier;
  if (!asm_read_template(at, name, &modifier)) return false;
  *address = modifier == 'a';
  name->high = modifier == 'h';
  switch (modifier) {
  case 'b':
  case 'h': name->bits = 8; return true;
  case 'w': name->bits = 16; return true;
  case 'k': name->bits = 32; return true;
  case 'q': name->bits = 64; return true;
  case ' ':
  case 'a':
  case 'c':
  case 'P': return true;
  default: return false;
  }
}

static bool read_address_part(const char **at, AsmName *name) {
  bool address;
  asm_skip_blanks(at);
  bool good = **at == '%' ? read_register(at, name) : read_template(at, name, &address);
  asm_skip_blanks(at);
  return good;
}

// `(base)`, `(base, index)`, `(base, index, scale)`
static bool read_parentheses(const char **at, AsmOperand *operand) {
  int64_t scale = 1;
  ++*at;
  asm_skip_blanks(at);
  if (**at != ',' && !read_address_part(at, &operand->name)) return false;
  if (**at == ',') {
    ++*at;
    if (!read_address_part(at, &operand->index)) return false;
    if (**at == ',') {
      ++*at;
      asm_skip_blanks(at);
      if (!asm_read_number(at, &scale)) return false;
      asm_skip_blanks(at);
    }
  }
  operand->kind = ASM_MEMORY;
  operand->scale = (unsigned)scale;
  return (scale == 1 || scale == 2 || scale == 4 || scale == 8) && *(*at)++ == ')';
}

// `8(%rax)`, `(%0)`, `4+%0`, `8%0`, `%fs:0`, `%1`
static bool read_memory_or_template(const char **at, AsmOperand *operand) {
  bool number = asm_read_number(at, &operand->value), address = false;
  asm_skip_blanks(at);
  if (number && **at == '+') ++*at;
  asm_skip_blanks(at);
  if (**at == '(') return read_parentheses(at, operand);
  if (read_template(at, &operand->name, &address)) {
    operand->kind = address ? ASM_MEMORY : ASM_TEMPLATE;
    operand->scale = 1;
    return true;
  }
  operand->kind = ASM_MEMORY;
  return number && operand->segment;
}

static bool read_operand(const char **at, AsmOperand *operand) {
  *operand = (AsmOperand){0};
  if (**at == '$') {
    ++*at;
    operand->kind = ASM_IMMEDIATE;
    if (asm_read_number(at, &operand->value)) return true;
    bool address;
    operand->kind = ASM_TEMPLATE;
    return read_template(at, &operand->name, &address) && !address;
  }
  if (strncmp(*at, "%fs:", 4) == 0 || strncmp(*at, "%gs:", 4) == 0) {
    operand->segment = (*at)[1];
    *at += 4;
    return read_memory_or_template(at, operand);
  }
  if (**at != '%') return read_memory_or_template(at, operand);
  operand->kind = ASM_REGISTER;
  return read_register(at, &operand->name);
}

// --- the table ---

// What a row may have, and registers beside the operands.
enum { SIZED = ROW_SUFFIXED, LOCKED = ROW_LOCKABLE };
#define IN_RAX "a"
#define IN_RAX_RDX "ac"
#define IN_RAX_RCX_RDX "abc"
#define IN_FIRST_FOUR "abcd"

static const AsmRow rows[] = {
    {"nop", x86_nothing, 0, 1, 0, SIZED, NULL},
    {"pause", x86_nothing, 0, 0, 0, 0, NULL},
    {"mfence", x86_nothing, 0, 0, 0, 0, NULL},
    {"lfence", x86_nothing, 0, 0, 0, 0, NULL},
    {"sfence", x86_nothing, 0, 0, 0, 0, NULL},
    {"serialize", x86_nothing, 0, 0, 0, 0, NULL},
    {"endbr32", x86_nothing, 0, 0, 0, 0, NULL},
    {"endbr64", x86_nothing, 0, 0, 0, 0, NULL},
    {"prefetch", x86_nothing, 1, 1, 0, 0, NULL},
    {"prefetchw", x86_nothing, 1, 1, 0, 0, NULL},
    {"prefetchwt1", x86_nothing, 1, 1, 0, 0, NULL},
    {"prefetcht0", x86_nothing, 1, 1, 0, 0, NULL},
    {"prefetcht1", x86_nothing, 1, 1, 0, 0, NULL},
    {"prefetcht2", x86_nothing, 1, 1, 0, 0, NULL},
    {"prefetchnta", x86_nothing, 1, 1, 0, 0, NULL},
    {"clflush", x86_nothing, 1, 1, 0, 0, NULL},
    {"clflushopt", x86_nothing, 1, 1, 0, 0, NULL},
    {"clwb", x86_nothing, 1, 1, 0, 0, NULL},
    {"cld", x86_nothing, 0, 0, 0, 0, NULL}, // it is clear
    {"cli", x86_nothing, 0, 0, 0, 0, NULL}, // of this processor only: others go on
    {"sti", x86_nothing, 0, 0, 0, 0, NULL},
    {"hlt", x86_nothing, 0, 0, 0, 0, NULL}, // until something happens
    {"ud2", x86_trap, 0, 0, 0, 0, NULL},
    {"int3", x86_trap, 0, 0, 0, 0, NULL},
    {"mov", x86_move, 2, 2, 0, SIZED, NULL},
    {"movabs", x86_move, 2, 2, 0, SIZED, NULL},
    {"movzbw", x86_extend, 2, 2, 0, 0, NULL},
    {"movzbl", x86_extend, 2, 2, 0, 0, NULL},
    {"movzbq", x86_extend, 2, 2, 0, 0, NULL},
    {"movzwl", x86_extend, 2, 2, 0, 0, NULL},
    {"movzwq", x86_extend, 2, 2, 0, 0, NULL},
    {"movsbw", x86_extend, 2, 2, 0, 0, NULL},
    {"movsbl", x86_extend, 2, 2, 0, 0, NULL},
    {"movsbq", x86_extend, 2, 2, 0, 0, NULL},
    {"movswl", x86_extend, 2, 2, 0, 0, NULL},
    {"movswq", x86_extend, 2, 2, 0, 0, NULL},
    {"movslq", x86_extend, 2, 2, 0, 0, NULL},
    {"lea", x86_lea, 2, 2, 0, SIZED, NULL},
    {"push", x86_push, 1, 1, 0, SIZED, NULL},
    {"pop", x86_pop, 1, 1, 0, SIZED, NULL},
    {"pushf", x86_push_flags, 0, 0, 0, SIZED, NULL},
    {"popf", x86_pop_flags, 0, 0, 0, SIZED, NULL},
    {"xchg", x86_exchange, 2, 2, 0, SIZED | LOCKED, NULL},
    {"xadd", x86_exchange_add, 2, 2, 0, SIZED | LOCKED, NULL},
    {"cmpxchg", x86_compare_exchange, 2, 2, 0, SIZED | LOCKED, IN_RAX},
    {"cmpxchg8b", x86_compare_exchange_pair, 1, 1, 0, ROW_LOCKABLE, IN_FIRST_FOUR},
    {"cmpxchg16b", x86_compare_exchange_pair, 1, 1, 0, ROW_LOCKABLE, IN_FIRST_FOUR},
    {"add", x86_two, 2, 2, X86_ADD, SIZED | LOCKED, NULL},
    {"or", x86_two, 2, 2, X86_OR, SIZED | LOCKED, NULL},
    {"adc", x86_two, 2, 2, X86_ADC, SIZED | LOCKED, NULL},
    {"sbb", x86_two, 2, 2, X86_SBB, SIZED | LOCKED, NULL},
    {"and", x86_two, 2, 2, X86_AND, SIZED | LOCKED, NULL},
    {"sub", x86_two, 2, 2, X86_SUB, SIZED | LOCKED, NULL},
    {"xor", x86_two, 2, 2, X86_XOR, SIZED | LOCKED, NULL},
    {"cmp", x86_two, 2, 2, X86_CMP, SIZED, NULL},
    {"test", x86_two, 2, 2, X86_TEST, SIZED, NULL},
    {"inc", x86_one, 1, 1, X86_INC, SIZED | LOCKED, NULL},
    {"dec", x86_one, 1, 1, X86_DEC, SIZED | LOCKED, NULL},
    {"neg", x86_one, 1, 1, X86_NEG, SIZED | LOCKED, NULL},
    {"not", x86_one, 1, 1, X86_NOT, SIZED | LOCKED, NULL},
    {"shl", x86_shift, 1, 2, X86_SHL, SIZED, NULL},
    {"sal", x86_shift, 1, 2, X86_SHL, SIZED, NULL},
    {"shr", x86_shift, 1, 2, X86_SHR, SIZED, NULL},
    {"sar", x86_shift, 1, 2, X86_SAR, SIZED, NULL},
    {"rol", x86_shift, 1, 2, X86_ROL, SIZED, NULL},
    {"ror", x86_shift, 1, 2, X86_ROR, SIZED, NULL},
    {"mul", x86_multiply, 1, 1, 0, SIZED, IN_RAX_RDX},
    {"bswap", x86_swap_bytes, 1, 1, 0, SIZED, NULL},
    {"bt", x86_bit_test, 2, 2, X86_BT, SIZED, NULL},
    {"bts", x86_bit_test, 2, 2, X86_BTS, SIZED | LOCKED, NULL},
    {"btr", x86_bit_test, 2, 2, X86_BTR, SIZED | LOCKED, NULL},
    {"btc", x86_bit_test, 2, 2, X86_BTC, SIZED | LOCKED, NULL},
    {"bsf", x86_bit_scan, 2, 2, X86_BSF, SIZED, NULL},
    {"bsr", x86_bit_scan, 2, 2, X86_BSR, SIZED, NULL},
    {"tzcnt", x86_bit_scan, 2, 2, X86_TZCNT, SIZED, NULL},
    {"lzcnt", x86_bit_scan, 2, 2, X86_LZCNT, SIZED, NULL},
    {"popcnt", x86_bit_scan, 2, 2, X86_POPCNT, SIZED, NULL},
    {"jmp", x86_jump, 1, 1, 0, ROW_JUMPS, NULL},
    {"rdtsc", x86_outside, 0, 0, X86_RDTSC, 0, IN_RAX_RDX},
    {"rdtscp", x86_outside, 0, 0, X86_RDTSCP, 0, IN_RAX_RCX_RDX},
    {"rdpmc", x86_outside, 0, 0, X86_RDTSC, 0, IN_RAX_RDX},
    {"xgetbv", x86_outside, 0, 0, X86_XGETBV, 0, IN_RAX_RDX},
    {"cpuid", x86_outside, 0, 0, X86_CPUID, 0, IN_FIRST_FOUR},
    {"rdrand", x86_random, 1, 1, 0, SIZED, NULL},
    {"rdseed", x86_random, 1, 1, 0, SIZED, NULL},
};
static const AsmRow set_row = {"set", x86_set, 1, 1, 0, 0, NULL};
static const AsmRow jump_row = {"j", x86_jump, 1, 1, 0, ROW_JUMPS, NULL};
static const AsmRow conditional_move_row = {"cmov", x86_conditional_move, 2, 2, 0, 0, NULL};
static const AsmRow string_rows[] = {{"stos", x86_string, 0, 0, 0, 0, "bh"}, {"movs", x86_string, 0, 0, 0, 0, "bgh"}};

static unsigned suffix_bits(char letter) {
  return letter == 'b' ? 8 : letter == 'w' ? 16 : letter == 'l' ? 32 : letter == 'q' ? 64 : 0;
}

// Names of conditions without n; their negations have one before them.
typedef struct X86Condition {
  const char *name;
  char what; // b: carry, e: zero, s: sign, o: overflow, p: parity, l: less, w: below or equal, g: less or equal
} X86Condition;
static const X86Condition conditions[] = {{"b", 'b'},   {"c", 'b'},  {"nae", 'b'}, {"e", 'e'},  {"z", 'e'},
                                          {"s", 's'},   {"o", 'o'},  {"p", 'p'},   {"pe", 'p'}, {"l", 'l'},
                                          {"nge", 'l'}, {"be", 'w'}, {"na", 'w'},  {"le", 'g'}, {"ng", 'g'}};
static const X86Condition negated_conditions[] = {{"ae", 'b'}, {"nb", 'b'}, {"nc", 'b'},  {"ne", 'e'}, {"nz", 'e'},
                                                  {"ns", 's'}, {"no", 'o'}, {"np", 'p'},  {"po", 'p'}, {"ge", 'l'},
                                                  {"nl", 'l'}, {"a", 'w'},  {"nbe", 'w'}, {"g", 'g'},  {"nle", 'g'}};

static char find_condition(const char *name, bool *negated) {
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
    *negated = false;
    if (strcmp(conditions[i].name, name) == 0) return conditions[i].what;
    *negated = true;
    if (strcmp(negated_conditions[i].name, name) == 0) return negated_conditions[i].what;
  }
  return 0;
}
static_assert(sizeof conditions == sizeof negated_conditions, "one for each");

// `sete`, `setcb`, `jne`, `cmovel`: a condition behind the name, and perhaps a suffix behind that.
static const AsmRow *find_conditional(AsmInstruction *i) {
  static const struct {
    const char *prefix;
    const AsmRow *row;
  } kinds[] = {{"set", &set_row}, {"cmov", &conditional_move_row}, {"j", &jump_row}};
  bool negated;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    size_t length = strlen(kinds[k].prefix), whole = strlen(i->name);
    if (!starts_with(i->name, kinds[k].prefix) || whole == length) continue;
    memmove(i->name, i->name + length, whole - length + 1); // the condition is left
    if (find_condition(i->name, &negated)) return kinds[k].row;
    char *last = i->name + strlen(i->name) - 1;
    i->suffix_bits = suffix_bits(*last);
    *last = '\0';
    bool wanted = kinds[k].row == &set_row ? i->suffix_bits == 8 : i->suffix_bits > 8;
    return kinds[k].row != &jump_row && wanted && find_condition(i->name, &negated) ? kinds[k].row : NULL;
  }
  return NULL;
}

static const AsmRow *find_string(AsmInstruction *i) {
  for (size_t r = 0; r < sizeof string_rows / sizeof *string_rows; r++) {
    size_t length = strlen(string_rows[r].name);
    if (!starts_with(i->name, string_rows[r].name) || strlen(i->name) != length + 1) continue;
    i->suffix_bits = suffix_bits(i->name[length]);
    return i->suffix_bits ? &string_rows[r] : NULL;
  }
  return NULL;
}

// A prefix counts only where it has a meaning.
static bool prefixes_fit(const AsmInstruction *i, const AsmRow *row) {
  if (i->repeat_while_unequal) return false;
  return !i->repeat || row->run == x86_string || strcmp(i->name, "nop") == 0 || row->run == x86_bit_scan;
}

static const AsmRow *find_row(AsmInstruction *i) {
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    if (strcmp(rows[r].name, i->name) == 0) return &rows[r];
  size_t length = strlen(i->name) - 1;
  unsigned bits = suffix_bits(i->name[length]);
  for (size_t r = 0; bits && r < sizeof rows / sizeof *rows; r++) {
    if (!(rows[r].flags & ROW_SUFFIXED) || strlen(rows[r].name) != length || !starts_with(i->name, rows[r].name))
      continue;
    i->suffix_bits = bits;
    return &rows[r];
  }
  const AsmRow *string = find_string(i);
  return string ? string : find_conditional(i);
}

static const AsmRow *find(AsmInstruction *i) {
  const AsmRow *row = find_row(i);
  return row && prefixes_fit(i, row) ? row : NULL;
}

// --- conditions ---

static Term parity(AsmMachine *m) {
  Term of = m->parity_of == TERM_NONE ? TERM_NONE : term_resize_unsigned(m->t, m->parity_of, 8);
  if (m->flags_lost) machine_fail(m, "flags are used behind a label");
  if (of == TERM_NONE) return builder_fresh(m->l, 1, VALUE_INDETERMINATE, "flag");
  Term even = term_true(m->t);
  for (unsigned bit = 0; bit < 8; bit++) even = term_binary(m->t, TERM_XOR, even, bit_of(m->t, of, bit));
  return even;
}

static Term condition_value(AsmMachine *m, char what) {
  TermStore *t = m->t;
  if (what == 'p') return parity(m);
  if (what == 'b') return machine_flag(m, FLAG_CARRY);
  if (what == 'e') return machine_flag(m, FLAG_ZERO);
  if (what == 's') return machine_flag(m, FLAG_SIGN);
  if (what == 'o') return machine_flag(m, FLAG_OVERFLOW);
  if (what == 'w') return term_or(t, machine_flag(m, FLAG_CARRY), machine_flag(m, FLAG_ZERO));
  Term less = term_binary(t, TERM_XOR, machine_flag(m, FLAG_SIGN), machine_flag(m, FLAG_OVERFLOW));
  return what == 'l' ? less : term_or(t, less, machine_flag(m, FLAG_ZERO));
}

Term x86_condition(AsmMachine *m, const char *name) {
  bool negated;
  char what = find_condition(name, &negated);
  if (!what) return TERM_NONE;
  Term value = condition_value(m, what);
  return negated ? term_not(m->t, value) : value;
}

const AsmProcessor asm_x86 = {.comment = "#",
                              .read_operand = read_operand,
                              .find = find,
                              .register_number = register_number,
                              .condition = x86_condition};
