// arm64: what instructions do, on terms.
#include "front/assembly/assembly_arm64.h"
#include "front/objects/objects.h"

#include <string.h>

// --- operands ---

static unsigned operand_bits(const AsmOperand *operand) { return operand->name.bits ? operand->name.bits : 64; }

static Term read_bits(AsmMachine *m, const AsmOperand *operand, unsigned bits) {
  if (operand->kind == ASM_IMMEDIATE) return term_constant(m->t, bits, (Bits)(uint64_t)operand->value);
  if (operand->kind == ASM_REGISTER && operand->name.number == ARM_ZERO) return term_constant(m->t, bits, 0);
  if (operand->kind == ASM_REGISTER || (operand->kind == ASM_TEMPLATE && !machine_is_memory(m, operand)))
    return machine_named_value(m, &operand->name, bits);
  machine_fail(m, "an operand that is not modelled");
  return term_constant(m->t, bits, 0);
}

// A write of 32 bits clears what is above.
static void write_operand(AsmMachine *m, const AsmOperand *operand, Term value) {
  if (operand->kind == ASM_REGISTER && operand->name.number == ARM_ZERO) return;
  if (operand->kind == ASM_REGISTER || (operand->kind == ASM_TEMPLATE && !machine_is_memory(m, operand)))
    machine_set(m, machine_register(m, &operand->name), value);
  else
    machine_fail(m, "an operand that is not modelled");
}

static Term address_of(AsmMachine *m, const AsmOperand *operand) {
  if (machine_is_memory(m, operand)) return machine_address(m, operand);
  machine_fail(m, "an operand that is not modelled");
  return term_constant(m->t, 64, 0);
}

static const char *word_of(AsmMachine *m, const AsmOperand *operand) {
  if (operand->kind != ASM_LABEL) return "";
  return intern_format(&m->l->program->strings, "%.*s", (int)operand->label_length, operand->label);
}

static Term condition_of(AsmMachine *m, const AsmOperand *operand) {
  Term condition = arm_condition(m, word_of(m, operand));
  if (condition != TERM_NONE) return condition;
  machine_fail(m, "a condition that is not modelled");
  return term_false(m->t);
}

// The size of a memory access: by the name, or by the register.
static unsigned access_bits(const AsmInstruction *i, const AsmOperand *data) {
  return i->suffix_bits ? i->suffix_bits : operand_bits(data);
}

void arm_nothing(AsmMachine *m, const AsmInstruction *i) {
  (void)m;
  (void)i;
}

// --- arithmetic ---

static Term count_leading_zeros(TermStore *t, Term a) {
  unsigned bits = term_width(t, a);
  Term count = term_constant(t, bits, bits);
  for (unsigned bit = 0; bit < bits; bit++)
    count = term_ite(t, bit_of(t, a, bit), term_constant(t, bits, bits - 1 - bit), count);
  return count;
}

// The value with its pieces of `step` bits in the opposite order.
static Term reversed(TermStore *t, Term a, unsigned step) {
  assert(step > 0 && term_width(t, a) % step == 0);
  Term out = term_extract(t, a, step - 1, 0);
  for (unsigned at = step; at < term_width(t, a); at += step)
    out = term_binary(t, TERM_CONCAT, out, term_extract(t, a, at + step - 1, at));
  return out;
}

void arm_two(AsmMachine *m, const AsmInstruction *i) {
  TermStore *t = m->t;
  unsigned bits = operand_bits(&i->operands[0]);
  Term a = read_bits(m, &i->operands[1], bits);
  switch ((ArmOperation)i->row->operation) {
  case ARM_MVN: a = term_not(t, a); break;
  case ARM_NEG: a = term_unary(t, TERM_NEG, a); break;
  case ARM_CLZ: a = count_leading_zeros(t, a); break;
  case ARM_RBIT: a = reversed(t, a, 1); break;
  case ARM_REV: a = reversed(t, a, 8); break;
  default: break;
  }
  write_operand(m, &i->operands[0], a);
}

// Shifts by a register look at as many of its bits as they need.
static Term shift_count(TermStore *t, Term b) {
  assert((term_width(t, b) & (term_width(t, b) - 1)) == 0);
  unsigned bits = term_width(t, b);
  return term_and(t, b, term_constant(t, bits, bits - 1));
}

static Term combine(TermStore *t, ArmOperation operation, Term a, Term b) {
  switch (operation) {
  case ARM_ADD:
  case ARM_ADDS: return term_add(t, a, b);
  case ARM_SUB:
  case ARM_SUBS: return term_sub(t, a, b);
  case ARM_ORR: return term_or(t, a, b);
  case ARM_ORN: return term_or(t, a, term_not(t, b));
  case ARM_EOR: return term_binary(t, TERM_XOR, a, b);
  case ARM_EON: return term_binary(t, TERM_XOR, a, term_not(t, b));
  case ARM_BIC: return term_and(t, a, term_not(t, b));
  case ARM_LSL: return term_binary(t, TERM_SHL, a, shift_count(t, b));
  case ARM_LSR: return term_binary(t, TERM_LSHR, a, shift_count(t, b));
  case ARM_ASR: return term_binary(t, TERM_ASHR, a, shift_count(t, b));
  case ARM_MUL: return term_binary(t, TERM_MUL, a, b);
  default: return term_and(t, a, b);
  }
}

static void set_flags(AsmMachine *m, ArmOperation operation, Term a, Term b) {
  TermStore *t = m->t;
  Term result = combine(t, operation, a, b);
  unsigned bits = term_width(t, result);
  m->flags_lost = false;
  m->flags[FLAG_ZERO] = term_eq(t, result, term_constant(t, bits, 0));
  m->flags[FLAG_SIGN] = bit_of(t, result, bits - 1);
  m->flags[FLAG_CARRY] = m->flags[FLAG_OVERFLOW] = term_false(t);
  if (operation == ARM_ADDS) {
    m->flags[FLAG_CARRY] = term_binary(t, TERM_UADDO, a, b);
    m->flags[FLAG_OVERFLOW] = term_binary(t, TERM_SADDO, a, b);
  } else if (operation == ARM_SUBS) {
    m->flags[FLAG_CARRY] = term_not(t, term_binary(t, TERM_USUBO, a, b));
    m->flags[FLAG_OVERFLOW] = term_binary(t, TERM_SSUBO, a, b);
  }
}

static bool sets_flags(ArmOperation operation) {
  return operation == ARM_ADDS || operation == ARM_SUBS || operation == ARM_ANDS;
}

void arm_three(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = operand_bits(&i->operands[0]);
  Term a = read_bits(m, &i->operands[1], bits), b = read_bits(m, &i->operands[2], bits);
  write_operand(m, &i->operands[0], combine(m->t, i->row->operation, a, b));
  if (sets_flags(i->row->operation)) set_flags(m, i->row->operation, a, b);
}

void arm_compare(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = operand_bits(&i->operands[0]);
  Term a = read_bits(m, &i->operands[0], bits), b = read_bits(m, &i->operands[1], bits);
  set_flags(m, i->row->operation, a, b);
}

void arm_set_condition(AsmMachine *m, const AsmInstruction *i) {
  Term condition = condition_of(m, &i->operands[1]);
  write_operand(m, &i->operands[0], term_zero_extend(m->t, condition, operand_bits(&i->operands[0])));
}

void arm_select(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = operand_bits(&i->operands[0]);
  Term condition = condition_of(m, &i->operands[3]);
  Term a = read_bits(m, &i->operands[1], bits), b = read_bits(m, &i->operands[2], bits);
  write_operand(m, &i->operands[0], term_ite(m->t, condition, a, b));
}

// --- memory ---

void arm_load(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = access_bits(i, &i->operands[0]);
  write_operand(m, &i->operands[0], machine_load(m, address_of(m, &i->operands[1]), bits));
}

void arm_store(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = access_bits(i, &i->operands[0]);
  Term value = read_bits(m, &i->operands[0], bits);
  machine_store(m, address_of(m, &i->operands[1]), value);
}

static Term updated(TermStore *t, ArmOperation operation, Term old, Term operand) {
  switch (operation) {
  case ARM_INCREASE: return term_add(t, old, operand);
  case ARM_CLEAR: return term_and(t, old, term_not(t, operand));
  case ARM_SET: return term_or(t, old, operand);
  case ARM_FLIP: return term_binary(t, TERM_XOR, old, operand);
  default: return operand;
  }
}

static Term fetch(AsmMachine *m, const AsmInstruction *i, const AsmOperand *place) {
  unsigned bits = access_bits(i, &i->operands[0]);
  Term operand = read_bits(m, &i->operands[0], bits);
  AsmUpdate update;
  update_begin(m, &update, address_of(m, place), bits, true);
  update_end(m, &update, updated(m->t, i->row->operation, update.old, operand));
  return update.old;
}

void arm_fetch(AsmMachine *m, const AsmInstruction *i) {
  write_operand(m, &i->operands[1], fetch(m, i, &i->operands[2]));
}

void arm_fetch_unused(AsmMachine *m, const AsmInstruction *i) { fetch(m, i, &i->operands[1]); }

void arm_compare_and_swap(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = access_bits(i, &i->operands[0]);
  Term expected = read_bits(m, &i->operands[0], bits), desired = read_bits(m, &i->operands[1], bits);
  AsmUpdate update;
  update_begin(m, &update, address_of(m, &i->operands[2]), bits, true);
  Term same = term_eq(m->t, update.old, expected);
  update_end(m, &update, term_ite(m->t, same, desired, update.old));
  write_operand(m, &i->operands[0], update.old);
}

static Term read_pair(AsmMachine *m, const AsmOperand *low, unsigned bits) {
  Term below = read_bits(m, low, bits);
  return term_binary(m->t, TERM_CONCAT, read_bits(m, low + 1, bits), below);
}

static void write_pair(AsmMachine *m, const AsmOperand *low, Term value) {
  assert(term_width(m->t, value) % 2 == 0);
  unsigned bits = term_width(m->t, value) / 2;
  write_operand(m, low, term_extract(m->t, value, bits - 1, 0));
  write_operand(m, low + 1, term_extract(m->t, value, 2 * bits - 1, bits));
}

void arm_compare_and_swap_pair(AsmMachine *m, const AsmInstruction *i) {
  unsigned bits = operand_bits(&i->operands[0]);
  Term expected = read_pair(m, &i->operands[0], bits), desired = read_pair(m, &i->operands[2], bits);
  AsmUpdate update;
  update_begin(m, &update, address_of(m, &i->operands[4]), 2 * bits, true);
  Term same = term_eq(m->t, update.old, expected);
  update_end(m, &update, term_ite(m->t, same, desired, update.old));
  write_pair(m, &i->operands[0], update.old);
}

// --- exclusive accesses ---

void arm_clear_exclusive(AsmMachine *m, const AsmInstruction *i) {
  (void)i;
  machine_exclusive_end(m);
}

static Term load_exclusive(AsmMachine *m, const AsmOperand *place, unsigned bits) {
  machine_exclusive_end(m);
  Term address = address_of(m, place);
  machine_exclusive_begin(m);
  m->exclusive_address = address;
  m->exclusive_value = machine_load(m, address, bits);
  m->exclusive_at = m->at;
  return m->exclusive_value;
}

// A store that fails leads back to the load: the failure leaves no trace, and only successes count.
static bool tries_again(const AsmMachine *m, const AsmInstruction *store) {
  assert(m->at < m->text->count);
  const AsmInstruction *next = store + 1;
  if (m->at + 1 >= m->text->count || next->row->operation != ARM_CBNZ) return false;
  const AsmName *status = &store->operands[0].name, *tested = &next->operands[0].name;
  if (status->template != tested->template || status->number != tested->number) return false;
  unsigned target = next->operands[1].target;
  while (target < m->exclusive_at && m->text->instructions[target].row->run == arm_nothing) target++;
  return target == m->exclusive_at;
}

static void store_exclusive(AsmMachine *m, const AsmInstruction *i, const AsmOperand *place, Term value) {
  TermStore *t = m->t;
  Term address = address_of(m, place);
  bool fits =
      m->exclusive && address == m->exclusive_address && term_width(t, value) == term_width(t, m->exclusive_value);
  if (!fits) {
    machine_fail(m, "an exclusive store without its load");
    return;
  }
  Term fails = tries_again(m, i) ? term_false(t) : machine_fresh(m, 1, "exclusive store fails");
  machine_store(m, address, term_ite(t, fails, m->exclusive_value, value));
  write_operand(m, &i->operands[0], term_zero_extend(t, fails, 32));
  machine_exclusive_end(m);
}

void arm_load_exclusive(AsmMachine *m, const AsmInstruction *i) {
  Term loaded = load_exclusive(m, &i->operands[1], access_bits(i, &i->operands[0]));
  write_operand(m, &i->operands[0], loaded);
}

void arm_store_exclusive(AsmMachine *m, const AsmInstruction *i) {
  Term value = read_bits(m, &i->operands[1], access_bits(i, &i->operands[1]));
  store_exclusive(m, i, &i->operands[2], value);
}

void arm_load_exclusive_pair(AsmMachine *m, const AsmInstruction *i) {
  write_pair(m, &i->operands[0], load_exclusive(m, &i->operands[2], 2 * operand_bits(&i->operands[0])));
}

void arm_store_exclusive_pair(AsmMachine *m, const AsmInstruction *i) {
  Term value = read_pair(m, &i->operands[1], operand_bits(&i->operands[1]));
  store_exclusive(m, i, &i->operands[3], value);
}

// --- jumps ---

void arm_branch(AsmMachine *m, const AsmInstruction *i) {
  bool always = strcmp(i->name, "b") == 0;
  machine_jump(m, i->operands[0].target, always ? term_true(m->t) : arm_condition(m, i->name));
}

void arm_branch_if(AsmMachine *m, const AsmInstruction *i) {
  ArmOperation operation = i->row->operation;
  Term value = read_bits(m, &i->operands[0], operand_bits(&i->operands[0])), set;
  if (operation == ARM_TBZ || operation == ARM_TBNZ) {
    uint64_t bit = (uint64_t)i->operands[1].value;
    if (i->operands[1].kind != ASM_IMMEDIATE || bit >= term_width(m->t, value)) {
      machine_fail(m, "an operand that is not modelled");
      return;
    }
    set = bit_of(m->t, value, (unsigned)bit);
  } else {
    set = term_is_nonzero(m->t, value);
  }
  bool when_set = operation == ARM_CBNZ || operation == ARM_TBNZ;
  machine_jump(m, i->operands[i->operand_count - 1].target, when_set ? set : term_not(m->t, set));
}

// --- system registers ---

void arm_system_register(AsmMachine *m, const AsmInstruction *i) {
  const char *name = word_of(m, &i->operands[1]);
  const Program *p = m->l->program;
  if (strcmp(name, "tpidr_el0") == 0 || strcmp(name, "tpidrro_el0") == 0)
    write_operand(m, &i->operands[0], object_address(m->l, p->threads.data[m->l->thread].control));
  else if (starts_with(name, "cnt") || starts_with(name, "pmccntr"))
    write_operand(m, &i->operands[0], machine_fresh(m, 64, "counter"));
  else
    machine_fail(m, "a system register that is not modelled");
}
