// One operator on constants: what each operator means.
#include "term/term_internal.h"

static Bits divide_unsigned(unsigned width, Bits a, Bits b) { return b ? a / b : bits_mask(width); }

static Bits remainder_unsigned(Bits a, Bits b) { return b ? a % b : a; }

static Bits negate(unsigned width, Bits a) { return -a & bits_mask(width); }

static Bits magnitude(unsigned width, Bits a) { return is_negative(width, a) ? negate(width, a) : a; }

// SMT-LIB defines the signed divisions by unsigned ones on magnitudes, which also settles division by zero.
static Bits divide_signed(unsigned width, Bits a, Bits b) {
  Bits quotient = divide_unsigned(width, magnitude(width, a), magnitude(width, b));
  return is_negative(width, a) == is_negative(width, b) ? quotient : negate(width, quotient);
}

static Bits remainder_signed(unsigned width, Bits a, Bits b) {
  Bits rest = remainder_unsigned(magnitude(width, a), magnitude(width, b));
  return is_negative(width, a) ? negate(width, rest) : rest;
}

// The result has the sign of the divisor.
static Bits modulo_signed(unsigned width, Bits a, Bits b) {
  Bits rest = remainder_unsigned(magnitude(width, a), magnitude(width, b));
  if (rest == 0) return 0;
  bool a_negative = is_negative(width, a), b_negative = is_negative(width, b);
  if (!a_negative && !b_negative) return rest;
  if (a_negative && !b_negative) return (b - rest) & bits_mask(width);
  if (!a_negative) return (rest + b) & bits_mask(width);
  return negate(width, rest);
}

static Bits apply_shift(TermOperator op, unsigned width, Bits a, Bits b) {
  Bits mask = bits_mask(width);
  bool all = b >= width; // everything is shifted out
  switch (op) {
  case TERM_SHL: return all ? 0 : a << b & mask;
  case TERM_LSHR: return all ? 0 : a >> b;
  default: break;
  }
  assert(op == TERM_ASHR);
  if (all) return is_negative(width, a) ? mask : 0;
  return (Bits)(as_signed(width, a) >> b) & mask;
}

static Bits rotate_left(unsigned width, Bits a, unsigned by) {
  if (by == 0) return a;
  return (a << by | a >> (width - by)) & bits_mask(width);
}

static bool product_exceeds(Bits a, Bits b, Bits largest) { return a != 0 && b > largest / a; }

static bool multiplication_overflows_signed(unsigned width, Bits a, Bits b) {
  bool negative = is_negative(width, a) != is_negative(width, b);
  Bits largest = negative ? sign_bit(width) : sign_bit(width) - 1;
  return product_exceeds(magnitude(width, a), magnitude(width, b), largest);
}

static bool apply_overflow(TermOperator op, unsigned width, Bits a, Bits b) {
  Bits mask = bits_mask(width), sum = (a + b) & mask, difference = (a - b) & mask;
  bool a_sign = is_negative(width, a), b_sign = op == TERM_NEGO ? false : is_negative(width, b);
  switch (op) {
  case TERM_NEGO: return a == sign_bit(width);
  case TERM_UADDO: return sum < a;
  case TERM_SADDO: return a_sign == b_sign && is_negative(width, sum) != a_sign;
  case TERM_USUBO: return a < b;
  case TERM_SSUBO: return a_sign != b_sign && is_negative(width, difference) != a_sign;
  case TERM_UMULO: return product_exceeds(a, b, mask);
  case TERM_SMULO: return multiplication_overflows_signed(width, a, b);
  case TERM_SDIVO: return a == sign_bit(width) && b == mask;
  default: assert(!"an overflow predicate"); return false;
  }
}

static Bits apply_arithmetic(TermOperator op, unsigned width, Bits a, Bits b) {
  Bits mask = bits_mask(width);
  switch (op) {
  case TERM_ADD: return (a + b) & mask;
  case TERM_SUB: return (a - b) & mask;
  case TERM_MUL: return (a * b) & mask;
  case TERM_UDIV: return divide_unsigned(width, a, b);
  case TERM_UREM: return remainder_unsigned(a, b);
  case TERM_SDIV: return divide_signed(width, a, b);
  case TERM_SREM: return remainder_signed(width, a, b);
  case TERM_SMOD: return modulo_signed(width, a, b);
  case TERM_ROTL: return rotate_left(width, a, (unsigned)(b % width));
  case TERM_ROTR: return rotate_left(width, a, (width - (unsigned)(b % width)) % width);
  default: return apply_shift(op, width, a, b);
  }
}

static bool apply_comparison(TermOperator op, unsigned width, Bits a, Bits b) {
  // Flipping the sign bit turns the signed order into the unsigned one.
  Bits flip = op == TERM_SLT || op == TERM_SLE ? sign_bit(width) : 0;
  switch (op) {
  case TERM_EQ: return a == b;
  case TERM_ULT:
  case TERM_SLT: return (a ^ flip) < (b ^ flip);
  default: assert(op == TERM_ULE || op == TERM_SLE); return (a ^ flip) <= (b ^ flip);
  }
}

Bits term_apply(TermOperator op, unsigned width, const unsigned *child_widths, unsigned high, unsigned low,
                const Bits *children) {
  if (op >= TERM_FP_ADD) return apply_floating_point(op, width, child_widths[0], children);
  Bits a = children[0], b = arity_of_operator(op) > 1 ? children[1] : 0, mask = bits_mask(width);
  switch (op) {
  case TERM_NOT: return ~a & mask;
  case TERM_NEG: return negate(width, a);
  case TERM_AND: return a & b;
  case TERM_OR: return a | b;
  case TERM_XOR: return a ^ b;
  case TERM_CONCAT: return a << child_widths[1] | b;
  case TERM_EXTRACT: return a >> low & bits_mask(high - low + 1);
  case TERM_ZEXT: return a;
  case TERM_SEXT: return (Bits)as_signed(child_widths[0], a) & mask;
  case TERM_ITE: return a ? b : children[2];
  case TERM_EQ:
  case TERM_ULT:
  case TERM_ULE:
  case TERM_SLT:
  case TERM_SLE: return apply_comparison(op, child_widths[0], a, b);
  default: break;
  }
  if (op >= TERM_NEGO && op <= TERM_SDIVO) return apply_overflow(op, child_widths[0], a, b);
  return apply_arithmetic(op, width, a, b);
}
