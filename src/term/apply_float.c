// The floating-point operators on bit patterns, by the machine's own arithmetic (IEEE 754, to nearest even).
#include "term/term_internal.h"

#include <math.h>

static const uint32_t CANONICAL_NAN_32 = UINT32_C(0x7fc00000);
static const uint64_t CANONICAL_NAN_64 = UINT64_C(0x7ff8000000000000);

static float float_of(Bits bits) {
  uint32_t pattern = (uint32_t)bits;
  float value;
  memcpy(&value, &pattern, sizeof value);
  return value;
}

static double double_of(Bits bits) {
  uint64_t pattern = (uint64_t)bits;
  double value;
  memcpy(&value, &pattern, sizeof value);
  return value;
}

static Bits bits_of_float(float value) {
  if (value != value) return CANONICAL_NAN_32;
  uint32_t pattern;
  memcpy(&pattern, &value, sizeof pattern);
  return pattern;
}

static Bits bits_of_double(double value) {
  if (value != value) return CANONICAL_NAN_64;
  uint64_t pattern;
  memcpy(&pattern, &value, sizeof pattern);
  return pattern;
}

static Bits apply_single(TermOperator op, float a, float b) {
  switch (op) {
  case TERM_FP_ADD: return bits_of_float(a + b);
  case TERM_FP_SUB: return bits_of_float(a - b);
  case TERM_FP_MUL: return bits_of_float(a * b);
  case TERM_FP_DIV: return bits_of_float(a / b);
  case TERM_FP_REM: return bits_of_float(fmodf(a, b));
  default: assert(op == TERM_FP_SQRT); return bits_of_float(sqrtf(a));
  }
}

static Bits apply_double(TermOperator op, double a, double b) {
  switch (op) {
  case TERM_FP_ADD: return bits_of_double(a + b);
  case TERM_FP_SUB: return bits_of_double(a - b);
  case TERM_FP_MUL: return bits_of_double(a * b);
  case TERM_FP_DIV: return bits_of_double(a / b);
  case TERM_FP_REM: return bits_of_double(fmod(a, b));
  default: assert(op == TERM_FP_SQRT); return bits_of_double(sqrt(a));
  }
}

// Truncates; 0 when the truncated value does not fit (NaN never does).
static Bits to_integer(bool is_signed, unsigned width, double value) {
  double truncated = trunc(value);
  double end = ldexp(1.0, (int)(is_signed ? width - 1 : width)), begin = is_signed ? -end : 0.0;
  if (!(truncated >= begin && truncated < end)) return 0;
  if (is_signed) return (Bits)(__int128)truncated & bits_mask(width);
  return (Bits)truncated;
}

static Bits from_integer(bool is_signed, unsigned width, unsigned child_width, Bits value) {
  assert(width == 32 || width == 64);
  if (is_signed) {
    __int128 number = as_signed(child_width, value);
    return width == 32 ? bits_of_float((float)number) : bits_of_double((double)number);
  }
  return width == 32 ? bits_of_float((float)value) : bits_of_double((double)value);
}

Bits apply_floating_point(TermOperator op, unsigned width, unsigned child_width, const Bits *children) {
  if (op == TERM_FP_FROM_SINT || op == TERM_FP_FROM_UINT)
    return from_integer(op == TERM_FP_FROM_SINT, width, child_width, children[0]);
  assert(child_width == 32 || child_width == 64);
  bool single = child_width == 32;
  Bits right = arity_of_operator(op) > 1 ? children[1] : 0;
  // A single is exactly a double, so comparisons and conversions need only the wider type.
  double a = single ? (double)float_of(children[0]) : double_of(children[0]);
  double b = single ? (double)float_of(right) : double_of(right);
  switch (op) {
  case TERM_FP_EQ: return a == b;
  case TERM_FP_LT: return a < b;
  case TERM_FP_LE: return a <= b;
  case TERM_FP_IS_NAN: return a != a;
  case TERM_FP_TO_SINT: return to_integer(true, width, a);
  case TERM_FP_TO_UINT: return to_integer(false, width, a);
  case TERM_FP_TO_FP: return width == 32 ? bits_of_float((float)a) : bits_of_double(a);
  default: break;
  }
  return single ? apply_single(op, float_of(children[0]), float_of(right)) : apply_double(op, a, b);
}
