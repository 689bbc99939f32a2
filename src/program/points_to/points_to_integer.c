// Integers beside pointers: offsets as families, tags and counters as bits.
#include "program/points_to/points_to_value.h"

static const Shape ANY_INTEGER = {0, 1};

int64_t integer_constant(const TermStore *terms, Term t) {
  unsigned width = term_width(terms, t);
  uint64_t value = (uint64_t)term_constant_value(terms, t);
  if (width < 64 && value >> (width - 1) & 1) value |= ~UINT64_C(0) << width;
  return (int64_t)value;
}

// An overflowing product is still a multiple of the power of two in its factors: so is what is left of it here.
Shape shape_scaled(Shape shape, int64_t factor) {
  uint64_t stride;
  if (factor == 0) return (Shape){0, 0};
  if (__builtin_mul_overflow(shape.stride, magnitude(factor), &stride)) stride = magnitude(factor) & -magnitude(factor);
  return (Shape){(int64_t)((uint64_t)shape.constant * (uint64_t)factor), stride};
}

static Shape shape_sum(Shape a, Shape b) {
  return (Shape){(int64_t)((uint64_t)a.constant + (uint64_t)b.constant), greatest_common_divisor(a.stride, b.stride)};
}

// After wrapping at a narrower width only the common power of two survives.
static Shape shape_wrapped(Shape shape) {
  if (shape.stride == 0) return shape;
  uint64_t common = greatest_common_divisor(shape.stride, magnitude(shape.constant));
  return (Shape){0, common & -common};
}

static Shape integer_shape_at(PointsToEvaluator *evaluator, Term t, unsigned depth);

static Shape shape_of_binary(PointsToEvaluator *evaluator, Term t, unsigned depth) {
  const TermStore *terms = evaluator->program->terms;
  Term a = term_child(terms, t, 0), b = term_child(terms, t, 1);
  switch (term_operator(terms, t)) {
  case TERM_ADD: return shape_sum(integer_shape_at(evaluator, a, depth + 1), integer_shape_at(evaluator, b, depth + 1));
  case TERM_SUB:
    return shape_sum(integer_shape_at(evaluator, a, depth + 1),
                     shape_scaled(integer_shape_at(evaluator, b, depth + 1), -1));
  case TERM_MUL:
    if (term_is_constant(terms, a))
      return shape_scaled(integer_shape_at(evaluator, b, depth + 1), integer_constant(terms, a));
    if (term_is_constant(terms, b))
      return shape_scaled(integer_shape_at(evaluator, a, depth + 1), integer_constant(terms, b));
    return ANY_INTEGER;
  case TERM_SHL:
    if (!term_is_constant(terms, b) || term_constant_value(terms, b) > 62) return ANY_INTEGER;
    return shape_scaled(integer_shape_at(evaluator, a, depth + 1), INT64_C(1)
                                                                       << (unsigned)term_constant_value(terms, b));
  case TERM_AND: { // with a mask: a multiple of the mask's lowest bit
    if (!term_is_constant(terms, b)) return ANY_INTEGER;
    uint64_t mask = (uint64_t)term_constant_value(terms, b);
    return mask ? (Shape){0, mask & -mask} : ANY_INTEGER;
  }
  case TERM_CONCAT: {
    unsigned low_width = term_width(terms, b);
    if (low_width > 62) return ANY_INTEGER;
    Shape low = integer_shape_at(evaluator, b, depth + 1);
    if (low.stride == 0)
      low.constant = (int64_t)(uint64_t)term_constant_value(terms, b);
    else
      low = shape_wrapped(low);
    return shape_sum(shape_scaled(integer_shape_at(evaluator, a, depth + 1), INT64_C(1) << low_width), low);
  }
  default: return ANY_INTEGER;
  }
}

// What is known of the integer `t`, for use as an offset.
static Shape integer_shape_at(PointsToEvaluator *evaluator, Term t, unsigned depth) {
  const TermStore *terms = evaluator->program->terms;
  if (term_width(terms, t) > 64 || depth > 24 || ++evaluator->visits > POINTS_TO_VISITS) return ANY_INTEGER;
  if (term_is_constant(terms, t)) return (Shape){integer_constant(terms, t), 0};
  switch (term_operator(terms, t)) {
  case TERM_ZEXT:
  case TERM_SEXT: return shape_wrapped(integer_shape_at(evaluator, term_child(terms, t, 0), depth + 1));
  case TERM_NEG: return shape_scaled(integer_shape_at(evaluator, term_child(terms, t, 0), depth + 1), -1);
  case TERM_ITE: {
    Shape a = integer_shape_at(evaluator, term_child(terms, t, 1), depth + 1);
    Shape b = integer_shape_at(evaluator, term_child(terms, t, 2), depth + 1);
    uint64_t between = magnitude((int64_t)((uint64_t)a.constant - (uint64_t)b.constant));
    uint64_t stride = greatest_common_divisor(greatest_common_divisor(a.stride, b.stride), between);
    return (Shape){a.constant, stride};
  }
  default: return term_arity(terms, t) == 2 ? shape_of_binary(evaluator, t, depth) : ANY_INTEGER;
  }
}

// --- bits ---

static Bits integer_bits_at(PointsToEvaluator *evaluator, Term t, unsigned depth);

static Bits child_bits(PointsToEvaluator *evaluator, Term t, unsigned child, unsigned depth) {
  return integer_bits_at(evaluator, term_child(evaluator->program->terms, t, child), depth + 1);
}

static Bits shifted_bits(PointsToEvaluator *evaluator, Term t, unsigned depth, Bits all) {
  const TermStore *terms = evaluator->program->terms;
  Term amount = term_child(terms, t, 1);
  if (!term_is_constant(terms, amount) || term_constant_value(terms, amount) >= 128) return all;
  unsigned by = (unsigned)term_constant_value(terms, amount);
  Bits moved = child_bits(evaluator, t, 0, depth);
  return term_operator(terms, t) == TERM_SHL ? moved << by & all : moved >> by;
}

// The bits that may be set in the integer `t`: a tag, a counter in its place.
static Bits integer_bits_at(PointsToEvaluator *evaluator, Term t, unsigned depth) {
  const TermStore *terms = evaluator->program->terms;
  Bits all = bits_mask(term_width(terms, t));
  if (term_is_constant(terms, t)) return term_constant_value(terms, t);
  if (depth > 24 || ++evaluator->visits > POINTS_TO_VISITS) return all;
  switch (term_operator(terms, t)) {
  case TERM_ZEXT: return child_bits(evaluator, t, 0, depth);
  case TERM_AND: return child_bits(evaluator, t, 0, depth) & child_bits(evaluator, t, 1, depth);
  case TERM_OR:
  case TERM_XOR: return child_bits(evaluator, t, 0, depth) | child_bits(evaluator, t, 1, depth);
  case TERM_ITE: return child_bits(evaluator, t, 1, depth) | child_bits(evaluator, t, 2, depth);
  case TERM_SHL:
  case TERM_LSHR: return shifted_bits(evaluator, t, depth, all);
  case TERM_EXTRACT: return child_bits(evaluator, t, 0, depth) >> term_parameter(terms, t, 1) & all;
  case TERM_CONCAT:
    return child_bits(evaluator, t, 0, depth) << term_width(terms, term_child(terms, t, 1)) |
           child_bits(evaluator, t, 1, depth);
  default: return all;
  }
}

Shape integer_shape(PointsToEvaluator *evaluator, Term t) { return integer_shape_at(evaluator, t, 0); }

Bits integer_bits(PointsToEvaluator *evaluator, Term t) { return integer_bits_at(evaluator, t, 0); }
