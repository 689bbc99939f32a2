// The instruction loop of the machine.
#include "explicit/machine/machine.h"

static inline uint64_t mask_of(unsigned width) { return UINT64_MAX >> (64 - width); }

static inline int64_t signed_of(uint64_t value, unsigned width) {
  return (int64_t)(value << (64 - width)) >> (64 - width);
}

static Bits valuation_value(void *context, Term variable) {
  const Machine *machine = context;
  VariableId v = program_variable_of_term(machine->program, variable);
  assert(v != NO_ID);
  if (v == machine->into) return machine->loaded;
  const Place *place = &machine->layout->variables[v];
  assert(place->offset != NO_ID);
  return vector_read_wide(machine->vector + place->offset, place->bytes);
}

Bits machine_evaluate(Machine *machine, Term term) {
  TermValuation valuation = {.value_of = valuation_value, .context = machine};
  return term_evaluate(machine->program->terms, term, &valuation);
}

static uint64_t apply(const Machine *machine, const Instruction *i) {
  const TermStore *terms = machine->program->terms;
  Term term = i->immediate;
  const uint16_t sources[3] = {i->a, i->b, i->c};
  unsigned widths[3];
  Bits children[3];
  unsigned arity = term_arity(terms, term);
  for (unsigned k = 0; k < arity; k++) {
    widths[k] = term_width(terms, term_child(terms, term, k));
    children[k] = machine->registers[sources[k]];
  }
  return (uint64_t)term_apply(term_operator(terms, term), i->width, widths, 0, 0, children);
}

static uint64_t divide_signed(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signed_of(a, width), y = signed_of(b, width);
  if (y == 0) return x < 0 ? 1 : mask_of(width); // SMT-LIB
  if (y == -1) return (0 - a) & mask_of(width);  // also where the hardware overflows
  return (uint64_t)(x / y) & mask_of(width);
}

static uint64_t remainder_signed(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signed_of(a, width), y = signed_of(b, width);
  if (y == 0) return a;
  if (y == -1) return 0;
  return (uint64_t)(x % y) & mask_of(width);
}

static uint64_t shift(MachineOperation operation, uint64_t a, uint64_t b, unsigned width) {
  if (operation == MACHINE_ASHR) {
    unsigned by = b >= width ? width - 1 : (unsigned)b;
    return (uint64_t)(signed_of(a, width) >> by) & mask_of(width);
  }
  if (b >= width) return 0;
  return operation == MACHINE_SHL ? a << b & mask_of(width) : a >> b;
}

void machine_execute(Machine *machine, uint32_t first, uint32_t end) {
  uint64_t *r = machine->registers;
  const uint8_t *vector = machine->vector;
  const Instruction *i = machine->code->instructions.data + first;
  const Instruction *stop = machine->code->instructions.data + end;
  for (; i < stop; i++) {
    uint64_t a = r[i->a], b = r[i->b], result;
    switch ((MachineOperation)i->operation) {
    case MACHINE_LOAD1: result = vector[i->immediate]; break;
    case MACHINE_LOAD2: result = vector_read(vector + i->immediate, 2); break;
    case MACHINE_LOAD4: result = vector_read(vector + i->immediate, 4); break;
    case MACHINE_LOAD8: result = vector_read(vector + i->immediate, 8); break;
    case MACHINE_CONSTANT: result = machine->code->constants.data[i->immediate]; break;
    case MACHINE_NOT: result = ~a & mask_of(i->width); break;
    case MACHINE_NEG: result = (0 - a) & mask_of(i->width); break;
    case MACHINE_AND: result = a & b; break;
    case MACHINE_OR: result = a | b; break;
    case MACHINE_XOR: result = a ^ b; break;
    case MACHINE_ADD: result = (a + b) & mask_of(i->width); break;
    case MACHINE_SUB: result = (a - b) & mask_of(i->width); break;
    case MACHINE_MUL: result = (a * b) & mask_of(i->width); break;
    case MACHINE_UDIV: result = b == 0 ? mask_of(i->width) : a / b; break;
    case MACHINE_UREM: result = b == 0 ? a : a % b; break;
    case MACHINE_SDIV: result = divide_signed(a, b, i->width); break;
    case MACHINE_SREM: result = remainder_signed(a, b, i->width); break;
    case MACHINE_SHL:
    case MACHINE_LSHR:
    case MACHINE_ASHR: result = shift((MachineOperation)i->operation, a, b, i->width); break;
    case MACHINE_CONCAT: result = a << i->immediate | b; break; // both fit in 64 bits together
    case MACHINE_EXTRACT: result = a >> i->immediate & mask_of(i->width); break;
    case MACHINE_SEXT: result = (uint64_t)signed_of(a, i->immediate) & mask_of(i->width); break;
    case MACHINE_EQ: result = a == b; break;
    case MACHINE_ULT: result = a < b; break;
    case MACHINE_ULE: result = a <= b; break;
    case MACHINE_SLT: result = signed_of(a, i->immediate) < signed_of(b, i->immediate); break;
    case MACHINE_SLE: result = signed_of(a, i->immediate) <= signed_of(b, i->immediate); break;
    case MACHINE_ITE: result = a != 0 ? b : r[i->c]; break;
    case MACHINE_APPLY: result = apply(machine, i); break;
    case MACHINE_WIDE: result = (uint64_t)machine_evaluate(machine, i->immediate); break;
    default:
      assert(false);
      result = 0;
      break;
    }
    r[i->target] = result;
  }
}
