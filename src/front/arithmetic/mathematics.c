// Functions of <math.h> with constant arguments: the mathematical library of this machine computes the result, as it
// would in the program. Calls that set errno (an argument outside the domain, a result out of range) are left to the
// models.
#include "front/arithmetic/arithmetic.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define OF_ONE(X)                                                                                                      \
  X(sin)                                                                                                               \
  X(cos)                                                                                                               \
  X(tan)                                                                                                               \
  X(asin)                                                                                                              \
  X(acos)                                                                                                              \
  X(atan)                                                                                                              \
  X(sinh)                                                                                                              \
  X(cosh)                                                                                                              \
  X(tanh)                                                                                                              \
  X(asinh)                                                                                                             \
  X(acosh)                                                                                                             \
  X(atanh)                                                                                                             \
  X(exp)                                                                                                               \
  X(exp2)                                                                                                              \
  X(expm1)                                                                                                             \
  X(log)                                                                                                               \
  X(log2)                                                                                                              \
  X(log10)                                                                                                             \
  X(log1p)                                                                                                             \
  X(logb)                                                                                                              \
  X(cbrt)                                                                                                              \
  X(erf)                                                                                                               \
  X(erfc)                                                                                                              \
  X(tgamma)
#define OF_TWO(X)                                                                                                      \
  X(pow)                                                                                                               \
  X(fmod)                                                                                                              \
  X(remainder)                                                                                                         \
  X(atan2)                                                                                                             \
  X(hypot)                                                                                                             \
  X(nextafter)

typedef struct Row {
  const char *name;
  double (*one)(double);
  double (*two)(double, double);
  float (*narrow_one)(float);
  float (*narrow_two)(float, float);
} Row;

static const Row rows[] = {
#define X(base) {.name = #base, .one = base}, {.name = #base "f", .narrow_one = base##f},
    OF_ONE(X)
#undef X
#define X(base) {.name = #base, .two = base}, {.name = #base "f", .narrow_two = base##f},
        OF_TWO(X)
#undef X
};

static const Row *find_row(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

static Bits compute(const Row *row, Bits first, Bits second) {
  double result = 0;
  float narrow_result = 0;
  assert(row->one || row->two || row->narrow_one || row->narrow_two);
  if (row->one || row->two) {
    uint64_t images[2] = {(uint64_t)first, (uint64_t)second};
    double x[2];
    memcpy(x, images, sizeof x);
    result = row->one ? row->one(x[0]) : row->two(x[0], x[1]);
    memcpy(images, &result, sizeof result);
    return images[0];
  }
  uint32_t images[2] = {(uint32_t)first, (uint32_t)second};
  float x[2];
  memcpy(x, images, sizeof x);
  narrow_result = row->narrow_one ? row->narrow_one(x[0]) : row->narrow_two(x[0], x[1]);
  memcpy(images, &narrow_result, sizeof narrow_result);
  return images[0];
}

bool lower_mathematics(Lowering *l, LLVMValueRef call, const char *name) {
  const Row *row = find_row(name);
  if (!row) return false;
  unsigned wanted = row->two || row->narrow_two ? 2 : 1, width = row->one || row->two ? 64 : 32;
  if (LLVMGetNumArgOperands(call) != wanted || type_width(l->unit, LLVMTypeOf(call)) != width) return false;
  Bits values[2] = {0, 0};
  for (unsigned i = 0; i < wanted; i++) {
    LLVMValueRef operand = LLVMGetOperand(call, i);
    if (!LLVMIsAConstantFP(operand)) return false;
    Term term = value_term(l, operand);
    if (term == TERM_NONE || !term_is_constant(l->terms, term) || term_width(l->terms, term) != width) return false;
    values[i] = term_constant_value(l->terms, term);
  }
  errno = 0;
  Bits result = compute(row, values[0], values[1]);
  if (errno != 0) return false;
  value_bind_one(l, call, term_constant(l->terms, width, result));
  return true;
}
