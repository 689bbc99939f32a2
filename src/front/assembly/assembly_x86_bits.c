// x86: bit strings, bit scans, string instructions.
#include "front/assembly/assembly_x86.h"
#include "front/objects/objects.h"

#include <string.h>

// --- bit tests ---

// May the compiler choose an immediate for this constant? Letters stand for ranges.
static bool may_be_immediate(const AsmSlot *slot, Bits value) {
  static const struct {
    char letter;
    uint8_t most;
  } ranges[] = {{'I', 31}, {'J', 63}, {'K', 127}, {'M', 3}, {'N', 255}};
  for (size_t i = 0; i < slot->code_length; i++) {
    if (strchr("insgXeZL", slot->codes[i])) return true;
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
      if (slot->codes[i] == ranges[r].letter && value <= ranges[r].most) return true;
  }
  return false;
}

// An offset in a register reaches beyond the operand in memory; an immediate does not. For small ones it is the same.
static bool offset_reaches(AsmMachine *m, const AsmOperand *offset, unsigned bits) {
  if (offset->kind == ASM_IMMEDIATE) return false;
  const AsmSlot *slot = machine_slot(m, &offset->name);
  if (!slot || !slot->constant) return true;
  Bits value = term_constant_value(m->t, slot->value);
  if (value < bits) return false;
  if (may_be_immediate(slot, value)) machine_fail(m, "a bit offset that may be an immediate");
  return true;
}

// The word that holds the bit: words before and behind the operand, too.
static Term word_address(AsmMachine *m, Term address, Term offset, unsigned bits) {
  unsigned width = m->l->unit->pointer_width, shift = bits == 64 ? 6 : bits == 32 ? 5 : 4;
  Term words = term_binary(m->t, TERM_ASHR, offset, term_constant(m->t, bits, shift));
  words = term_resize_signed(m->t, words, width);
  return term_add(m->t, address, term_binary(m->t, TERM_MUL, words, term_constant(m->t, width, bits / 8)));
}

static Term changed_bit(AsmMachine *m, X86Operation operation, Term old, Term mask) {
  if (operation == X86_BTS) return term_or(m->t, old, mask);
  if (operation == X86_BTC) return term_binary(m->t, TERM_XOR, old, mask);
  return term_and(m->t, old, term_not(m->t, mask));
}

void x86_bit_test(AsmMachine *m, const AsmInstruction *i) {
  TermStore *t = m->t;
  X86Operation operation = i->row->operation;
  const AsmOperand *target = &i->operands[1];
  bool memory = machine_is_memory(m, target);
  unsigned bits = x86_size(m, i);
  if (bits == 8) machine_fail(m, "an instruction whose size is not clear");
  Term offset = x86_read(m, &i->operands[0], bits);
  Term at = term_and(t, offset, term_constant(t, bits, bits - 1));
  Term mask = term_binary(t, TERM_SHL, term_constant(t, bits, 1), at);
  Term address = memory ? machine_address(m, target) : TERM_NONE;
  if (memory && offset_reaches(m, &i->operands[0], bits)) address = word_address(m, address, offset, bits);
  Term old;
  if (operation == X86_BT) {
    old = memory ? machine_load(m, address, bits) : x86_read(m, target, bits);
  } else if (memory) {
    AsmUpdate update;
    update_begin(m, &update, address, bits, i->lock);
    old = update.old;
    update_end(m, &update, changed_bit(m, operation, old, mask));
  } else {
    if (i->lock) machine_fail(m, "a lock prefix on a register");
    old = x86_read(m, target, bits);
    x86_write(m, target, changed_bit(m, operation, old, mask));
  }
  // Only the carry is defined, and the zero flag kept.
  Term zero = m->flags_lost ? TERM_NONE : m->flags[FLAG_ZERO];
  machine_flags_any(m);
  m->flags[FLAG_ZERO] = zero;
  m->flags[FLAG_CARRY] = bit_of(t, term_binary(t, TERM_LSHR, old, at), 0);
}

// --- bit scans ---

// The number of the lowest or highest bit that is set; `otherwise` for zero.
static Term scan(TermStore *t, Term value, bool lowest, Term otherwise) {
  unsigned bits = term_width(t, value);
  Term found = otherwise;
  for (unsigned i = 0; i < bits; i++) {
    unsigned bit = lowest ? bits - 1 - i : i; // the last test decides first
    found = term_ite(t, bit_of(t, value, bit), term_constant(t, bits, bit), found);
  }
  return found;
}

static Term count_ones(TermStore *t, Term value) {
  unsigned bits = term_width(t, value);
  Term sum = term_constant(t, bits, 0);
  for (unsigned i = 0; i < bits; i++) sum = term_add(t, sum, term_zero_extend(t, bit_of(t, value, i), bits));
  return sum;
}

// Of zero, processors leave the destination of bsf and bsr as it was. `rep bsf` is tzcnt on newer ones: then it is
// anything.
static Term scan_result(AsmMachine *m, const AsmInstruction *i, Term value) {
  TermStore *t = m->t;
  unsigned bits = term_width(t, value);
  Term all = term_constant(t, bits, bits);
  switch ((X86Operation)i->row->operation) {
  case X86_TZCNT: return scan(t, value, true, all);
  case X86_POPCNT: return count_ones(t, value);
  case X86_LZCNT: {
    Term highest = scan(t, value, false, term_constant(t, bits, ~(Bits)0)); // of zero: -1
    return term_sub(t, term_constant(t, bits, bits - 1), highest);
  }
  default: {
    Term zero = i->repeat ? machine_fresh(m, bits, "scan of zero") : x86_read(m, &i->operands[1], bits);
    return scan(t, value, i->row->operation == X86_BSF, zero);
  }
  }
}

void x86_bit_scan(AsmMachine *m, const AsmInstruction *i) {
  TermStore *t = m->t;
  unsigned bits = x86_size(m, i);
  X86Operation operation = i->row->operation;
  if (bits == 8 || (i->repeat && operation != X86_BSF)) {
    machine_fail(m, "an instruction whose size is not clear");
    return;
  }
  Term value = x86_read(m, &i->operands[0], bits), result = scan_result(m, i, value);
  Term none = term_eq(t, value, term_constant(t, bits, 0));
  x86_write(m, &i->operands[1], result);
  machine_flags_any(m);
  if (operation == X86_BSF || operation == X86_BSR) {
    if (!i->repeat) m->flags[FLAG_ZERO] = none;
  } else if (operation == X86_POPCNT) {
    m->flags[FLAG_ZERO] = none;
    m->flags[FLAG_CARRY] = m->flags[FLAG_SIGN] = m->flags[FLAG_OVERFLOW] = term_false(t);
  } else {
    m->flags[FLAG_CARRY] = none;
    m->flags[FLAG_ZERO] = term_eq(t, result, term_constant(t, bits, 0));
  }
}

// --- strings ---

static Term pointer_in(AsmMachine *m, unsigned reg) {
  unsigned width = m->l->unit->pointer_width;
  if (m->registers[reg].known < width) machine_fail(m, "an address in a register without a known value");
  return machine_read(m, reg, 0, width);
}

// `rep; stosl` and `rep; movsl` of a known number of words: a block operation. The byte of a fill is the same in all
// bytes of the word.
void x86_string(AsmMachine *m, const AsmInstruction *i) {
  assert(i->suffix_bits >= 8);
  TermStore *t = m->t;
  unsigned width = m->l->unit->pointer_width, bytes = i->suffix_bits / 8;
  bool copies = strncmp(i->name, "movs", 4) == 0;
  Term to = pointer_in(m, RDI), count = i->repeat ? machine_read(m, RCX, 0, width) : term_constant(t, width, 1);
  Term from = copies ? pointer_in(m, RSI) : machine_read(m, RAX, 0, i->suffix_bits);
  if (m->failure) return;
  Term byte = copies ? TERM_NONE : term_extract(t, from, 7, 0);
  bool uniform = true;
  for (unsigned at = 8; !copies && at < i->suffix_bits; at += 8) uniform &= term_extract(t, from, at + 7, at) == byte;
  if (!term_is_constant(t, count) || !uniform) {
    machine_fail(m, "a string instruction of unknown length");
    return;
  }
  uint64_t length = (uint64_t)term_constant_value(t, count) * bytes;
  lower_block_operation(m->l, copies ? STEP_COPY : STEP_FILL, to, copies ? from : byte, length);
  machine_set(m, RDI, term_add_constant(t, to, length));
  if (copies) machine_set(m, RSI, term_add_constant(t, from, length));
  if (i->repeat) machine_set(m, RCX, term_constant(t, width, 0));
}
