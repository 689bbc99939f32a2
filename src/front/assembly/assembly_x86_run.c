// x86: what instructions do, on terms. AT&T order: the destination is the last operand.
#include "front/assembly/assembly_x86.h"
#include "front/objects/objects.h"

#include <string.h>

// --- operands ---

// 0: it does not say
static unsigned x86_operand_bits(AsmMachine *m, const AsmOperand *operand) {
  if (operand->kind == ASM_REGISTER) return operand->name.bits;
  if (operand->kind != ASM_TEMPLATE || machine_is_memory(m, operand)) return 0;
  if (operand->name.bits) return operand->name.bits;
  const AsmSlot *slot = machine_slot(m, &operand->name);
  if (slot->constant) return 0;
  return slot->width < 8 ? 8 : slot->width > m->bits ? m->bits : slot->width;
}

unsigned x86_size(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = i->suffix_bits;
  for (unsigned o = i->operand_count; o-- > 0 && bits == 0;) bits = x86_operand_bits(m, &i->operands[o]);
  if (bits == 8 || bits == 16 || bits == 32 || (bits == 64 && m->bits == 64)) return bits;
  machine_fail(m, "an instruction whose size is not clear");
  return 32;
}

// What a frame's pointers hold is an address that the model does not have.
static bool is_frame_pointer(AsmMachine *m, const AsmOperand *operand) {
  if (operand->kind != ASM_REGISTER || m->registers[operand->name.number].value != TERM_NONE) return false;
  return operand->name.number == RSP || operand->name.number == RBP;
}

Term x86_read(AsmMachine *m, const AsmOperand *operand, unsigned bits) {
  if (is_frame_pointer(m, operand)) machine_fail(m, "it reads the stack pointer");
  if (operand->kind == ASM_IMMEDIATE) return term_constant(m->t, bits, (Bits)(uint64_t)operand->value);
  if (machine_is_memory(m, operand)) return machine_load(m, machine_address(m, operand), bits);
  return machine_named_value(m, &operand->name, bits);
}

// A write of 32 bits clears what is above.
static void write_register(AsmMachine *m, const AsmName *name, Term value) {
  unsigned reg = machine_register(m, name), bits = term_width(m->t, value);
  if (reg == RSP) machine_fail(m, "it changes the stack pointer");
  if (bits >= 32)
    machine_set(m, reg, value);
  else
    machine_write(m, reg, name->high ? 8 : 0, value);
}

void x86_write(AsmMachine *m, const AsmOperand *operand, Term value) {
  if (operand->kind == ASM_IMMEDIATE)
    machine_fail(m, "an immediate is written to");
  else if (machine_is_memory(m, operand))
    machine_store(m, machine_address(m, operand), value);
  else
    write_register(m, &operand->name, value);
}

static const AsmOperand *destination(const AsmInstruction *i) {
  assert(i->operand_count > 0);
  return &i->operands[i->operand_count - 1];
}

// A destination that is read and written; memory in one step if it is locked.
typedef struct Changed {
  const AsmOperand *operand;
  AsmUpdate update;
  bool memory;
  Term old;
} Changed;

static void change_at(AsmMachine *m, Changed *c, Term address, unsigned bits, bool locked) {
  c->memory = true;
  update_begin(m, &c->update, address, bits, locked);
  c->old = c->update.old;
}

static void change_begin(AsmMachine *m, Changed *c, const AsmOperand *operand, unsigned bits, bool locked) {
  *c = (Changed){.operand = operand};
  if (machine_is_memory(m, operand)) {
    change_at(m, c, machine_address(m, operand), bits, locked);
    return;
  }
  if (locked) machine_fail(m, "a lock prefix on a register");
  c->old = machine_named_value(m, &operand->name, bits);
}

static void change_end(AsmMachine *m, Changed *c, Term stored) {
  if (c->memory)
    update_end(m, &c->update, stored);
  else
    x86_write(m, c->operand, stored);
}

// --- flags ---

// zero, sign, parity
static void x86_flags_of_result(AsmMachine *m, Term result) {
  unsigned width = term_width(m->t, result);
  m->flags[FLAG_ZERO] = term_eq(m->t, result, term_constant(m->t, width, 0));
  m->flags[FLAG_SIGN] = bit_of(m->t, result, width - 1);
  m->parity_of = result;
  m->flags_lost = false;
}

// Carry and overflow show in one more bit.
static Term wider(AsmMachine *m, Term a, bool is_signed) {
  unsigned width = term_width(m->t, a) + 1;
  return is_signed ? term_sign_extend(m->t, a, width) : term_zero_extend(m->t, a, width);
}

static void flags_of(AsmMachine *m, TermOperator op, Term a, Term b, Term carry) {
  assert((op == TERM_ADD || op == TERM_SUB) && term_width(m->t, a) == term_width(m->t, b));
  TermStore *t = m->t;
  unsigned width = term_width(t, a);
  Term small = term_zero_extend(t, carry, width), large = term_zero_extend(t, carry, width + 1);
  Term result = term_binary(t, op, term_binary(t, op, a, b), small);
  Term whole = term_binary(t, op, term_binary(t, op, wider(m, a, false), wider(m, b, false)), large);
  Term exact = term_binary(t, op, term_binary(t, op, wider(m, a, true), wider(m, b, true)), large);
  x86_flags_of_result(m, result);
  m->flags[FLAG_CARRY] = bit_of(t, whole, width);
  m->flags[FLAG_OVERFLOW] = term_ne(t, exact, term_sign_extend(t, result, width + 1));
}

static void x86_flags_of_sum(AsmMachine *m, Term a, Term b, Term carry) { flags_of(m, TERM_ADD, a, b, carry); }

static void x86_flags_of_difference(AsmMachine *m, Term a, Term b, Term borrow) { flags_of(m, TERM_SUB, a, b, borrow); }

static void flags_of_logic(AsmMachine *m, Term result) {
  x86_flags_of_result(m, result);
  m->flags[FLAG_CARRY] = m->flags[FLAG_OVERFLOW] = term_false(m->t);
}

static void forget_flag(AsmMachine *m, AsmFlag flag) { m->flags[flag] = TERM_NONE; }

// --- moves ---

void x86_nothing(AsmMachine *m, const AsmInstruction *i) {
  (void)m;
  (void)i;
}

void x86_trap(AsmMachine *m, const AsmInstruction *i) {
  (void)i;
  Step step = builder_step(m->l);
  step.kind = STEP_HALT;
  if (!m->failure) builder_end(m->l, &step);
}

// The word at the beginning of a thread's own segment is that word's address: another one in each thread.
static bool is_thread_pointer(AsmMachine *m, const AsmOperand *operand) {
  char own = m->bits == 64 ? 'f' : 'g';
  return operand->kind == ASM_MEMORY && operand->segment == own && operand->value == 0 && !operand->name.present &&
         !operand->index.present;
}

void x86_move(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_size(m, i);
  if (is_thread_pointer(m, &i->operands[0]) && bits == m->bits) {
    const Program *p = m->l->program;
    x86_write(m, destination(i), object_address(m->l, p->threads.data[m->l->thread].control));
    return;
  }
  x86_write(m, destination(i), x86_read(m, &i->operands[0], bits));
}

void x86_extend(AsmMachine *m, const AsmInstruction *i) {
  char from = i->name[4], to = i->name[5];
  unsigned source = from == 'b' ? 8 : from == 'w' ? 16 : 32, bits = to == 'w' ? 16 : to == 'l' ? 32 : 64;
  if (bits > m->bits) machine_fail(m, "an instruction whose size is not clear");
  Term value = x86_read(m, &i->operands[0], source);
  bool is_signed = i->name[3] == 's';
  x86_write(m, destination(i), is_signed ? term_sign_extend(m->t, value, bits) : term_zero_extend(m->t, value, bits));
}

void x86_lea(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_operand_bits(m, destination(i));
  if (!machine_is_memory(m, &i->operands[0]) || bits < 16) {
    machine_fail(m, "an address that is not modelled");
    return;
  }
  x86_write(m, destination(i), term_resize_unsigned(m->t, machine_address(m, &i->operands[0]), bits));
}

static void push(AsmMachine *m, Term value) {
  if (m->text->has_jumps || m->stack_count == sizeof m->stack / sizeof *m->stack)
    machine_fail(m, "it uses the stack");
  else
    m->stack[m->stack_count++] = value;
}

static Term pop(AsmMachine *m) {
  if (m->stack_count) return m->stack[--m->stack_count];
  machine_fail(m, "it uses the stack");
  return term_constant(m->t, m->bits, 0);
}

void x86_push(AsmMachine *m, const AsmInstruction *i) { push(m, x86_read(m, &i->operands[0], m->bits)); }

void x86_pop(AsmMachine *m, const AsmInstruction *i) { x86_write(m, destination(i), pop(m)); }

void x86_push_flags(AsmMachine *m, const AsmInstruction *i) {
  (void)i;
  push(m, machine_fresh(m, m->bits, "flags"));
}

void x86_pop_flags(AsmMachine *m, const AsmInstruction *i) {
  (void)i;
  pop(m);
  machine_flags_any(m);
}

// --- exchanges ---

// With memory it is locked, prefix or not.
void x86_exchange(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_size(m, i);
  bool first = machine_is_memory(m, &i->operands[0]);
  const AsmOperand *target = &i->operands[first ? 0 : 1], *other = &i->operands[first ? 1 : 0];
  Term given = x86_read(m, other, bits);
  Changed c;
  change_begin(m, &c, target, bits, machine_is_memory(m, target));
  change_end(m, &c, given);
  x86_write(m, other, c.old);
}

void x86_exchange_add(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_size(m, i);
  Term given = x86_read(m, &i->operands[0], bits);
  Changed c;
  change_begin(m, &c, destination(i), bits, i->lock);
  if (!c.memory) x86_write(m, &i->operands[0], c.old); // first: both may be the same register, which holds the sum
  change_end(m, &c, term_add(m->t, c.old, given));
  if (c.memory) x86_write(m, &i->operands[0], c.old);
  x86_flags_of_sum(m, c.old, given, term_false(m->t));
}

// What is stored by a comparison with `expected`: nothing changes where that is what is stored.
static Term exchanged(AsmMachine *m, Term old, Term expected, Term desired) {
  if (expected == desired) return old;
  return term_ite(m->t, term_eq(m->t, old, expected), desired, old);
}

// Afterwards the accumulator holds the old value, whether it was equal to it or not.
void x86_compare_exchange(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_size(m, i);
  Term desired = x86_read(m, &i->operands[0], bits), expected = machine_read(m, RAX, 0, bits);
  Changed c;
  change_begin(m, &c, destination(i), bits, i->lock);
  change_end(m, &c, exchanged(m, c.old, expected, desired));
  bool keeps_above = bits < 32; // with 32 bits that depends on the outcome
  if (keeps_above)
    machine_write(m, RAX, 0, c.old);
  else
    machine_set_low(m, RAX, c.old);
  x86_flags_of_difference(m, expected, c.old, term_false(m->t));
}

static Term read_pair(AsmMachine *m, unsigned high, unsigned low, unsigned half) {
  assert(half == 32 || half == 64);
  Term below = machine_read(m, low, 0, half);
  return term_binary(m->t, TERM_CONCAT, machine_read(m, high, 0, half), below);
}

void x86_compare_exchange_pair(AsmMachine *m, const AsmInstruction *i) {
  unsigned half = strcmp(i->name, "cmpxchg16b") == 0 ? 64 : 32;
  if (half > m->bits || !machine_is_memory(m, destination(i))) {
    machine_fail(m, "an instruction whose size is not clear");
    return;
  }
  Term expected = read_pair(m, RDX, RAX, half), desired = read_pair(m, RCX, RBX, half);
  Changed c;
  change_begin(m, &c, destination(i), 2 * half, i->lock);
  change_end(m, &c, exchanged(m, c.old, expected, desired));
  machine_set_low(m, RAX, term_extract(m->t, c.old, half - 1, 0));
  machine_set_low(m, RDX, term_extract(m->t, c.old, 2 * half - 1, half));
  if (m->flags_lost) machine_flags_any(m);
  m->flags[FLAG_ZERO] = term_eq(m->t, c.old, expected);
}

// --- arithmetic ---

static Term combine(AsmMachine *m, X86Operation operation, Term a, Term b, Term carry) {
  TermStore *t = m->t;
  Term extended = term_zero_extend(t, carry, term_width(t, a));
  switch (operation) {
  case X86_ADD: return term_add(t, a, b);
  case X86_ADC: return term_add(t, term_add(t, a, b), extended);
  case X86_SUB:
  case X86_CMP: return term_sub(t, a, b);
  case X86_SBB: return term_sub(t, term_sub(t, a, b), extended);
  case X86_OR: return term_or(t, a, b);
  case X86_XOR: return term_binary(t, TERM_XOR, a, b);
  default: return term_and(t, a, b);
  }
}

static void flags_of_two(AsmMachine *m, X86Operation operation, Term a, Term b, Term carry) {
  switch (operation) {
  case X86_ADD:
  case X86_ADC: x86_flags_of_sum(m, a, b, carry); break;
  case X86_SUB:
  case X86_CMP:
  case X86_SBB: x86_flags_of_difference(m, a, b, carry); break;
  default: flags_of_logic(m, combine(m, operation, a, b, carry)); break;
  }
}

// `lock; addl $0, 0(%esp)` and its like: a fence that leaves the word on the stack as it is.
static bool is_stack_fence(const AsmInstruction *i) {
  const AsmOperand *source = &i->operands[0], *target = destination(i);
  X86Operation operation = i->row->operation;
  if (!i->lock || source->kind != ASM_IMMEDIATE || target->kind != ASM_MEMORY || target->segment) return false;
  if (target->name.template || target->name.number != RSP || target->index.present) return false;
  bool zero_keeps = operation == X86_ADD || operation == X86_OR || operation == X86_SUB || operation == X86_XOR;
  return zero_keeps ? source->value == 0 : operation == X86_AND && source->value == -1;
}

void x86_two(AsmMachine *m, const AsmInstruction *i) {
  X86Operation operation = i->row->operation;
  if (is_stack_fence(i)) {
    machine_flags_any(m);
    return;
  }
  unsigned bits = x86_size(m, i);
  bool carries = operation == X86_ADC || operation == X86_SBB;
  Term carry = carries ? machine_flag(m, FLAG_CARRY) : term_false(m->t);
  bool same = memcmp(&i->operands[0], destination(i), sizeof(AsmOperand)) == 0 && !machine_is_memory(m, destination(i));
  if (same && (operation == X86_XOR || operation == X86_SUB || operation == X86_SBB)) { // whatever the register holds
    Term zero = term_constant(m->t, bits, 0), result = combine(m, operation, zero, zero, carry);
    x86_write(m, destination(i), result);
    flags_of_two(m, operation, zero, zero, carry);
    return;
  }
  Term b = x86_read(m, &i->operands[0], bits);
  if (operation == X86_CMP || operation == X86_TEST) {
    flags_of_two(m, operation, x86_read(m, destination(i), bits), b, carry);
    return;
  }
  Changed c;
  change_begin(m, &c, destination(i), bits, i->lock);
  change_end(m, &c, combine(m, operation, c.old, b, carry));
  flags_of_two(m, operation, c.old, b, carry);
}

void x86_one(AsmMachine *m, const AsmInstruction *i) {
  TermStore *t = m->t;
  unsigned bits = x86_size(m, i);
  Term one = term_constant(t, bits, 1), zero = term_constant(t, bits, 0), none = term_false(t);
  Changed c;
  change_begin(m, &c, destination(i), bits, i->lock);
  X86Operation operation = i->row->operation;
  Term result = operation == X86_INC   ? term_add(t, c.old, one)
                : operation == X86_DEC ? term_sub(t, c.old, one)
                : operation == X86_NEG ? term_sub(t, zero, c.old)
                                       : term_not(t, c.old);
  change_end(m, &c, result);
  if (operation == X86_NOT) return; // no flags
  Term carry = m->flags[FLAG_CARRY];
  bool lost = m->flags_lost;
  if (operation == X86_INC) x86_flags_of_sum(m, c.old, one, none);
  if (operation == X86_DEC) x86_flags_of_difference(m, c.old, one, none);
  if (operation == X86_NEG) x86_flags_of_difference(m, zero, c.old, none);
  if (operation != X86_NEG) m->flags[FLAG_CARRY] = lost ? TERM_NONE : carry; // is kept
}

static Term shifted(AsmMachine *m, X86Operation operation, Term a, Term by) {
  assert(operation >= X86_SHL && operation <= X86_ROR);
  static const TermOperator operators[] = {TERM_SHL, TERM_LSHR, TERM_ASHR, TERM_ROTL, TERM_ROTR};
  return term_binary(m->t, operators[operation - X86_SHL], a, by);
}

// The carry is the last bit that went out; after other counts than 1 the overflow is anything. A count that is not
// known may be zero and leave all flags.
static void flags_of_shift(AsmMachine *m, X86Operation operation, Term old, Term result, unsigned count) {
  assert(count > 0);
  unsigned width = term_width(m->t, old);
  bool rotates = operation == X86_ROL || operation == X86_ROR;
  if (m->flags_lost) machine_flags_any(m);
  if (!rotates) x86_flags_of_result(m, result);
  forget_flag(m, FLAG_OVERFLOW);
  unsigned bit = operation == X86_SHL ? width - count : count - 1;
  if (rotates)
    m->flags[FLAG_CARRY] = bit_of(m->t, result, operation == X86_ROL ? 0 : width - 1);
  else
    m->flags[FLAG_CARRY] = count <= width ? bit_of(m->t, old, bit) : TERM_NONE;
}

void x86_shift(AsmMachine *m, const AsmInstruction *i) {
  X86Operation operation = i->row->operation;
  unsigned bits = i->suffix_bits ? i->suffix_bits : x86_operand_bits(m, destination(i));
  if (bits == 0 || bits > m->bits) {
    machine_fail(m, "an instruction whose size is not clear");
    return;
  }
  Term count = i->operand_count == 1 ? term_constant(m->t, 8, 1) : x86_read(m, &i->operands[0], 8);
  count = term_and(m->t, count, term_constant(m->t, 8, bits == 64 ? 63 : 31));
  Changed c;
  change_begin(m, &c, destination(i), bits, false);
  Term result = shifted(m, operation, c.old, term_resize_unsigned(m->t, count, bits));
  change_end(m, &c, result);
  if (!term_is_constant(m->t, count))
    machine_flags_any(m);
  else if (term_constant_value(m->t, count) != 0)
    flags_of_shift(m, operation, c.old, result, (unsigned)term_constant_value(m->t, count));
}

// The whole product of the accumulator and an operand.
void x86_multiply(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_size(m, i);
  if (bits < 32) {
    machine_fail(m, "an instruction whose size is not clear");
    return;
  }
  Term a = term_zero_extend(m->t, machine_read(m, RAX, 0, bits), 2 * bits);
  Term b = term_zero_extend(m->t, x86_read(m, &i->operands[0], bits), 2 * bits);
  Term product = term_binary(m->t, TERM_MUL, a, b);
  Term high = term_extract(m->t, product, 2 * bits - 1, bits);
  machine_set(m, RAX, term_extract(m->t, product, bits - 1, 0));
  machine_set(m, RDX, high);
  machine_flags_any(m);
  m->flags[FLAG_CARRY] = m->flags[FLAG_OVERFLOW] = term_is_nonzero(m->t, high);
}

void x86_swap_bytes(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_size(m, i);
  if (bits < 32) machine_fail(m, "an instruction whose size is not clear");
  Term value = x86_read(m, &i->operands[0], bits), swapped = term_extract(m->t, value, 7, 0);
  for (unsigned at = 8; at < bits; at += 8)
    swapped = term_binary(m->t, TERM_CONCAT, swapped, term_extract(m->t, value, at + 7, at));
  x86_write(m, destination(i), swapped);
}

// --- conditions ---

void x86_set(AsmMachine *m, const AsmInstruction *i) {
  Term condition = x86_condition(m, i->name);
  assert(condition != TERM_NONE);
  x86_write(m, destination(i), term_zero_extend(m->t, condition, 8));
}

void x86_conditional_move(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_size(m, i);
  Term condition = x86_condition(m, i->name), moved = x86_read(m, &i->operands[0], bits);
  x86_write(m, destination(i), term_ite(m->t, condition, moved, x86_read(m, destination(i), bits)));
}

void x86_jump(AsmMachine *m, const AsmInstruction *i) {
  bool always = strcmp(i->name, "jmp") == 0;
  machine_jump(m, i->operands[0].target, always ? term_true(m->t) : x86_condition(m, i->name));
}

// --- values from outside ---

void x86_outside(AsmMachine *m, const AsmInstruction *i) {
  static const struct {
    uint8_t operation, reg;
    const char *name;
  } results[] = {{X86_RDTSC, RAX, "rdtsc"},   {X86_RDTSC, RDX, "rdtsc"},  {X86_RDTSCP, RAX, "rdtsc"},
                 {X86_RDTSCP, RDX, "rdtsc"},  {X86_RDTSCP, RCX, "rdtsc"}, {X86_CPUID, RAX, "cpuid"},
                 {X86_CPUID, RBX, "cpuid"},   {X86_CPUID, RCX, "cpuid"},  {X86_CPUID, RDX, "cpuid"},
                 {X86_XGETBV, RAX, "xgetbv"}, {X86_XGETBV, RDX, "xgetbv"}};
  for (size_t r = 0; r < sizeof results / sizeof *results; r++)
    if (results[r].operation == i->row->operation)
      machine_set(m, results[r].reg, machine_fresh(m, 32, results[r].name));
}

void x86_random(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = x86_size(m, i);
  Term there = machine_fresh(m, 1, "random");
  Term value = machine_fresh(m, bits, "random");
  x86_write(m, destination(i), term_ite(m->t, there, value, term_constant(m->t, bits, 0)));
  machine_flags_any(m);
  for (unsigned flag = 0; flag < FLAG_COUNT; flag++) m->flags[flag] = term_false(m->t);
  m->flags[FLAG_CARRY] = there;
}
