// Inside the evaluation of terms (points_to.h): what is known of the integers that pointers are combined with.
//
// Programs keep more than an address in a pointer: a tag in the bits that alignment leaves free, or a counter in the
// upper bits, which no address uses. So an integer is described in two ways: as a family of offsets, and by the bits it
// may have.
#ifndef HEDDLE_PROGRAM_POINTS_TO_POINTS_TO_VALUE_H
#define HEDDLE_PROGRAM_POINTS_TO_POINTS_TO_VALUE_H

#include "program/points_to/points_to.h"

enum {
  POINTS_TO_VISITS = 4000, // beyond so many nodes a term is treated coarsely: any place in any object below it
  MOST_TAG_BITS = 3,       // of a tag with at most so many bits, all values are distinguished
  ADDRESS_BITS = 48        // no address of 64 bits has one at or above this
};

// An integer as constant + k * stride; stride 0: exactly the constant.
typedef struct Shape {
  int64_t constant;
  uint64_t stride;
} Shape;

Shape integer_shape(PointsToEvaluator *evaluator, Term t); // for use as an offset
Shape shape_scaled(Shape shape, int64_t factor);
Bits integer_bits(PointsToEvaluator *evaluator, Term t); // those that may be set: may-add
int64_t integer_constant(const TermStore *terms, Term t);

static inline uint64_t magnitude(int64_t x) { return x < 0 ? -(uint64_t)x : (uint64_t)x; }

static inline unsigned count_bits(Bits bits) {
  return (unsigned)__builtin_popcountll((uint64_t)bits) + (unsigned)__builtin_popcountll((uint64_t)(bits >> 64));
}

static inline uint64_t lowest_bit(uint64_t bits) { return bits & -bits; } // 0 of 0

// May `t` hold an address of 64 bits, beside which the upper ones are free?
static inline bool is_address_wide(const Program *p, Term t) {
  return p->pointer_width == 64 && term_width(p->terms, t) == 64;
}

#endif
