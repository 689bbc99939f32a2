// The machine of an inline assembly: registers, memory, jumps.
#include "front/assembly/assembly.h"

#include <string.h>

void machine_fail(AsmMachine *m, const char *why) {
  if (!m->failure) m->failure = why;
}

// --- what a compiler may do with registers ---

static bool has_input_in(const AsmStatement *statement, unsigned reg) {
  for (unsigned i = 0; i < statement->count; i++) {
    const AsmSlot *slot = &statement->slots[i];
    if (!slot->output && slot->kind == SLOT_VALUE && !slot->constant && slot->reg == reg) return true;
  }
  return false;
}

// An output without `&` and without an input in its register may share it with any input.
static bool is_plain_output(const AsmStatement *statement, unsigned reg) {
  for (unsigned i = 0; i < statement->count; i++) {
    const AsmSlot *slot = &statement->slots[i];
    if (slot->output && slot->kind == SLOT_VALUE && slot->reg == reg)
      return !slot->early && !has_input_in(statement, reg);
  }
  return false;
}

// Is there an input, or the address of an operand in memory, that may share a register with such an output?
static bool has_lone_inputs(const AsmStatement *statement) {
  for (unsigned i = 0; i < statement->count; i++) {
    const AsmSlot *slot = &statement->slots[i];
    if (slot->kind == SLOT_MEMORY || (!slot->output && !slot->constant && !slot->tied)) return true;
  }
  return false;
}

// Inputs must be read before such an output is written; otherwise execution fails.
static void require_unclobbered_inputs(AsmMachine *m) {
  if (m->plain_output_written) machine_fail(m, "an input is read after an output without & was written");
}

static void note_write(AsmMachine *m, unsigned reg) {
  assert(reg < REGISTER_COUNT);
  AsmRegister *r = &m->registers[reg];
  if (!r->written && r->before == TERM_NONE) r->before = r->value;
  r->written = true;
  if (is_plain_output(m->statement, reg)) m->plain_output_written = true;
}

// At the end, registers that the statement does not declare as changed must hold what they held before.
static void machine_finish(AsmMachine *m) {
  if (m->stack_count) machine_fail(m, "it leaves something on the stack");
  if (m->exclusive) machine_fail(m, "it ends inside an exclusive access");
  for (unsigned reg = 0; reg < REGISTER_COUNT; reg++) {
    const AsmRegister *r = &m->registers[reg];
    if (!r->written || m->statement->changes[reg]) continue;
    bool restored = !m->text->has_jumps && r->before != TERM_NONE && r->known >= term_width(m->t, r->before) &&
                    term_resize_unsigned(m->t, r->value, term_width(m->t, r->before)) == r->before;
    if (!restored) machine_fail(m, "it changes a register that it does not declare");
  }
}

// --- registers ---

Term machine_fresh(AsmMachine *m, unsigned bits, const char *name) {
  return builder_fresh(m->l, bits, VALUE_INPUT, name);
}

// What is above the known bits is whatever the register held.
static void complete(AsmMachine *m, AsmRegister *r, unsigned need) {
  if (need <= r->known) return;
  unsigned all = need > m->bits ? need : m->bits;
  Term above = builder_fresh(m->l, all - r->known, VALUE_INDETERMINATE, "register");
  r->value = r->value == TERM_NONE ? above : term_binary(m->t, TERM_CONCAT, above, r->value);
  r->known = all;
  if (!r->written) r->before = r->value;
}

Term machine_read(AsmMachine *m, unsigned reg, unsigned low, unsigned bits) {
  assert(reg < REGISTER_COUNT && bits > 0);
  AsmRegister *r = &m->registers[reg];
  if (!m->statement->changes[reg] && has_input_in(m->statement, reg)) require_unclobbered_inputs(m);
  complete(m, r, low + bits);
  return term_extract(m->t, r->value, low + bits - 1, low);
}

void machine_set_low(AsmMachine *m, unsigned reg, Term value) {
  note_write(m, reg);
  m->registers[reg].value = value;
  m->registers[reg].known = term_width(m->t, value);
}

void machine_write(AsmMachine *m, unsigned reg, unsigned low, Term value) {
  assert(reg < REGISTER_COUNT && (low == 0 || low == 8));
  AsmRegister *r = &m->registers[reg];
  unsigned high = low + term_width(m->t, value);
  if (low > 0) complete(m, r, low);
  note_write(m, reg);
  Term whole = value;
  if (low > 0) whole = term_binary(m->t, TERM_CONCAT, whole, term_extract(m->t, r->value, low - 1, 0));
  if (r->known > high) whole = term_binary(m->t, TERM_CONCAT, term_extract(m->t, r->value, r->known - 1, high), whole);
  r->value = whole;
  r->known = term_width(m->t, whole);
}

// A value of two registers keeps its upper half.
void machine_set(AsmMachine *m, unsigned reg, Term value) {
  machine_write(m, reg, 0, term_zero_extend(m->t, value, m->bits));
}

Term machine_flag(AsmMachine *m, AsmFlag flag) {
  assert(flag < FLAG_COUNT);
  if (m->flags_lost) machine_fail(m, "flags are used behind a label");
  if (m->flags[flag] == TERM_NONE) m->flags[flag] = builder_fresh(m->l, 1, VALUE_INDETERMINATE, "flag");
  return m->flags[flag];
}

void machine_flags_any(AsmMachine *m) {
  for (unsigned i = 0; i < FLAG_COUNT; i++) m->flags[i] = TERM_NONE;
  m->parity_of = TERM_NONE;
  m->flags_lost = false;
}

// --- names of the text ---

const AsmSlot *machine_slot(AsmMachine *m, const AsmName *name) {
  if (!name->template) return NULL;
  if (name->number < m->statement->count) return &m->statement->slots[name->number];
  machine_fail(m, "it names an operand that there is not");
  return &m->statement->slots[0];
}

unsigned machine_register(AsmMachine *m, const AsmName *name) {
  const AsmSlot *slot = machine_slot(m, name);
  if (!slot) return name->number;
  if (slot->kind == SLOT_VALUE && !slot->constant && !(slot->pair && slot->width > m->bits)) return slot->reg;
  machine_fail(m, "an operand is not in a register");
  return FIRST_CHOSEN;
}

Term machine_named_value(AsmMachine *m, const AsmName *name, unsigned bits) {
  const AsmSlot *slot = machine_slot(m, name);
  if (slot && slot->constant) return term_resize_signed(m->t, slot->value, bits);
  return machine_read(m, machine_register(m, name), name->high ? 8 : 0, bits);
}

bool machine_is_memory(AsmMachine *m, const AsmOperand *operand) {
  if (operand->kind == ASM_MEMORY) return true;
  const AsmSlot *slot = operand->kind == ASM_TEMPLATE ? machine_slot(m, &operand->name) : NULL;
  return slot && slot->kind == SLOT_MEMORY;
}

static Term address_part(AsmMachine *m, const AsmName *name) {
  unsigned width = m->l->unit->pointer_width;
  const AsmSlot *slot = machine_slot(m, name);
  if (slot && slot->constant) return term_resize_signed(m->t, slot->value, width);
  unsigned reg = machine_register(m, name);
  if (m->registers[reg].known < width) machine_fail(m, "an address in a register without a known value");
  return machine_read(m, reg, 0, width);
}

Term machine_address(AsmMachine *m, const AsmOperand *operand) {
  unsigned width = m->l->unit->pointer_width;
  Term address = term_constant(m->t, width, (Bits)(uint64_t)operand->value);
  if (operand->kind == ASM_TEMPLATE) {
    const AsmSlot *slot = machine_slot(m, &operand->name);
    require_unclobbered_inputs(m); // the address may be in a register
    return term_add(m->t, slot->value, address);
  }
  if (operand->segment || !operand->name.present) machine_fail(m, "an address that is not modelled");
  if (operand->name.present) address = term_add(m->t, address_part(m, &operand->name), address);
  if (operand->index.present) {
    Term scaled = term_binary(m->t, TERM_MUL, address_part(m, &operand->index),
                              term_constant(m->t, width, operand->scale ? operand->scale : 1));
    address = term_add(m->t, address, scaled);
  }
  return address;
}

// --- memory ---

// After a failure nothing is emitted: an access to an address that is not known would end the execution before the cut.

Term machine_load(AsmMachine *m, Term address, unsigned bits) {
  if (m->failure) return term_constant(m->t, bits, 0);
  return builder_load(m->l, address, bits, true, "loaded");
}

void machine_store(AsmMachine *m, Term address, Term value) {
  if (!m->failure) builder_store(m->l, address, value, true);
}

void update_begin(AsmMachine *m, AsmUpdate *u, Term address, unsigned bits, bool locked) {
  assert(bits % 8 == 0 && bits <= 128);
  *u = (AsmUpdate){.address = address, .locked = locked, .old = term_constant(m->t, bits, 0)};
  if (m->failure) return;
  if (!locked) {
    u->old = builder_load(m->l, address, bits, false, "loaded");
    return;
  }
  u->step = builder_step(m->l);
  u->step.access.address = address;
  u->step.access.bytes = (uint8_t)(bits / 8);
  u->step.access.reads = u->step.access.writes = u->step.access.synchronises = true;
  u->step.access.into = builder_temporary(m->l, bits, "old");
  u->old = variable_term(m->l->program, u->step.access.into);
}

void update_end(AsmMachine *m, AsmUpdate *u, Term stored) {
  if (m->failure) return;
  if (!u->locked) {
    builder_store(m->l, u->address, stored, false);
    return;
  }
  u->step.access.stored = stored;
  builder_emit(m->l, &u->step);
}

// --- exclusive accesses ---

static void section_step(AsmMachine *m, Step *step, LocationId to) {
  if (to == NO_ID)
    builder_emit(m->l, step);
  else
    builder_emit_to(m->l, step, to, true);
}

void machine_exclusive_begin(AsmMachine *m) {
  if (m->failure || m->l->current == NO_ID) return;
  m->exclusive = true;
  Step step = builder_step(m->l);
  step.kind = STEP_ATOMIC_BEGIN;
  if (m->l->atomic_depth++ == 0) builder_emit(m->l, &step);
}

void machine_exclusive_end(AsmMachine *m) {
  if (m->l->current == NO_ID || !m->exclusive) return;
  m->exclusive = false;
  Step step = builder_step(m->l);
  step.kind = STEP_ATOMIC_END;
  if (--m->l->atomic_depth == 0) builder_emit(m->l, &step);
}

// --- jumps ---

static unsigned width_at_labels(const AsmMachine *m, unsigned reg) {
  assert(reg < FIRST_CHOSEN + m->statement->count);
  if (reg < FIRST_CHOSEN) return m->bits;
  unsigned width = m->statement->slots[reg - FIRST_CHOSEN].width;
  return width < 8 ? 8 : width;
}

// Adds assignments of the registers' values to the variables that a label reads.
static void carry_registers(AsmMachine *m, Step *step) {
  Assignment *list = arena_allocate(&m->l->scratch, REGISTER_COUNT * sizeof *list);
  step->assignments = list;
  for (unsigned reg = 0; reg < REGISTER_COUNT; reg++) {
    AsmRegister *r = &m->registers[reg];
    if (r->variable == NO_ID || r->value == TERM_NONE) continue; // never written so far: the variable is indeterminate
    complete(m, r, width_at_labels(m, reg));
    Term value = term_extract(m->t, r->value, width_at_labels(m, reg) - 1, 0);
    if (value == variable_term(m->l->program, r->variable)) continue;
    list[step->assignment_count++] = (Assignment){r->variable, value};
  }
}

// Goes to the label before `target`, out of an exclusive access.
static void go_to(AsmMachine *m, unsigned target, Term condition) {
  assert(target <= m->text->count && m->labels[target] != NO_ID);
  Lowering *l = m->l;
  Step carry = builder_step(l);
  carry_registers(m, &carry); // may emit
  carry.guard = condition;
  if (!m->exclusive) {
    builder_emit_to(l, &carry, m->labels[target], true);
    return;
  }
  builder_emit(l, &carry);
  Step end = builder_step(l);
  if (--l->atomic_depth == 0) end.kind = STEP_ATOMIC_END;
  section_step(m, &end, m->labels[target]);
  l->atomic_depth++;
}

void machine_jump(AsmMachine *m, unsigned target, Term condition) {
  Lowering *l = m->l;
  if (target <= m->at && has_lone_inputs(m->statement)) require_unclobbered_inputs(m);
  if (m->failure || l->current == NO_ID || term_is_false(m->t, condition)) return;
  for (unsigned reg = 0; reg < REGISTER_COUNT; reg++) // nothing is emitted between the two ways
    if (m->registers[reg].variable != NO_ID && m->registers[reg].value != TERM_NONE)
      complete(m, &m->registers[reg], width_at_labels(m, reg));
  LocationId from = l->current;
  go_to(m, target, condition);
  Term otherwise = term_not(m->t, condition);
  if (term_is_false(m->t, otherwise)) {
    if (m->exclusive) l->atomic_depth--;
    m->exclusive = false;
    return;
  }
  l->current = from;
  Step step = builder_step(l);
  step.guard = otherwise;
  builder_emit(l, &step);
}

static void arrive(AsmMachine *m, unsigned at) {
  assert(m->labels[at] != NO_ID);
  Lowering *l = m->l;
  if (l->current != NO_ID) {
    go_to(m, at, term_true(m->t));
    if (m->exclusive) l->atomic_depth--;
  }
  m->exclusive = false;
  l->current = m->labels[at];
  for (unsigned reg = 0; reg < REGISTER_COUNT; reg++) {
    AsmRegister *r = &m->registers[reg];
    if (r->variable == NO_ID) continue;
    r->value = variable_term(l->program, r->variable);
    r->known = width_at_labels(m, reg);
  }
  machine_flags_any(m);
  m->flags_lost = true;
}

static void use_register(AsmMachine *m, unsigned reg) {
  AsmRegister *r = &m->registers[reg];
  if (r->variable != NO_ID) return;
  r->variable = builder_temporary(m->l, width_at_labels(m, reg), "register");
  Assignment any = {r->variable, VALUE_INDETERMINATE};
  Step step = builder_step(m->l);
  step.assignments = &any;
  step.assignment_count = 1;
  if (r->value == TERM_NONE) builder_emit(m->l, &step);
}

static void use_name(AsmMachine *m, const AsmName *name) {
  if (!name->present) return;
  const AsmSlot *slot = machine_slot(m, name);
  if (!slot)
    use_register(m, name->number);
  else if (slot->kind == SLOT_VALUE && !slot->constant)
    use_register(m, slot->reg);
}

// Variables for all registers that are mentioned, locations for all labels that are jumped to.
static void prepare_jumps(AsmMachine *m) {
  builder_save_values_here(m->l);
  for (unsigned i = 0; i < m->statement->count; i++)
    use_name(m, &(AsmName){.present = true, .template = true, .number = i});
  for (unsigned i = 0; i < m->text->count; i++) {
    const AsmInstruction *instruction = &m->text->instructions[i];
    for (unsigned o = 0; o < instruction->operand_count; o++) {
      if (instruction->operands[o].kind == ASM_LABEL) continue;
      use_name(m, &instruction->operands[o].name);
      use_name(m, &instruction->operands[o].index);
    }
    for (const char *letter = instruction->row->implicit; letter && *letter; letter++)
      use_register(m, (unsigned)(*letter - 'a'));
  }
  for (unsigned i = 0; i <= m->text->count; i++)
    if (m->text->is_target[i]) m->labels[i] = builder_location(m->l);
}

// --- a run ---

static void start(AsmMachine *m) {
  for (unsigned i = 0; i <= MOST_INSTRUCTIONS; i++) m->labels[i] = NO_ID;
  for (unsigned reg = 0; reg < REGISTER_COUNT; reg++) m->registers[reg] = (AsmRegister){.variable = NO_ID};
  for (unsigned i = 0; i < m->statement->count; i++) {
    const AsmSlot *slot = &m->statement->slots[i];
    if (slot->kind != SLOT_VALUE || slot->value == TERM_NONE || slot->constant) continue;
    Term value = slot->width < 8 ? term_zero_extend(m->t, slot->value, 8) : slot->value;
    // An instruction that loads a constant of 32 bits clears the upper half.
    bool clears = slot->width == 32 && m->bits == 64 && term_is_constant(m->t, value);
    if (clears) value = term_zero_extend(m->t, value, 64);
    unsigned width = term_width(m->t, value);
    AsmRegister *low = &m->registers[slot->reg];
    bool cut = width > m->bits && slot->reg < FIRST_CHOSEN; // what the compiler chooses may be two registers
    low->before = low->value = cut ? term_extract(m->t, value, m->bits - 1, 0) : value;
    low->known = term_width(m->t, low->value);
    if (slot->pair && width > m->bits) {
      AsmRegister *high = &m->registers[2];
      high->before = high->value = term_extract(m->t, value, width - 1, m->bits);
      high->known = term_width(m->t, high->value);
    }
  }
}

// A run that fails must lose no way: labels that were jumped to and are not yet reached end in the cut, too.
static void cut_rest(AsmMachine *m, const char *what) {
  builder_cut(m->l, CUT_CONSTRUCT, what);
  for (unsigned i = m->at + 1; i <= m->text->count; i++) {
    if (m->labels[i] == NO_ID) continue;
    m->l->current = m->labels[i];
    builder_cut(m->l, CUT_CONSTRUCT, what);
  }
}

bool machine_run(AsmMachine *m) {
  Lowering *l = m->l;
  unsigned depth = l->atomic_depth;
  assert(l->pending.count == 0 && m->statement->modelled);
  start(m);
  if (m->text->has_jumps) prepare_jumps(m);
  for (m->at = 0; m->at < m->text->count && !m->failure; m->at++) {
    const AsmInstruction *instruction = &m->text->instructions[m->at];
    if (m->text->is_target[m->at]) arrive(m, m->at);
    if (l->current != NO_ID) instruction->row->run(m, instruction);
  }
  if (m->failure) m->at--;
  if (!m->failure && m->text->is_target[m->text->count]) arrive(m, m->text->count);
  if (!m->failure) machine_finish(m);
  if (m->failure) cut_rest(m, intern_format(&l->program->strings, "inline assembly: %s", m->failure));
  l->atomic_depth = depth;
  return !m->failure;
}
