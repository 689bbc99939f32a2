// LLVM intrinsics that clang emits for C.
#include "front/calls/calls.h"
#include "front/objects/objects.h"

#include <string.h>

// --- memory ---

// A block of constant size is one step, which the layout pass splits into cells. Another size runs the model's loop.
static void lower_copy(Lowering *l, LLVMValueRef call, const char *loop) {
  builder_flush(l);
  Term to = call_argument(l, call, 0), from = call_argument(l, call, 1), length = call_argument(l, call, 2);
  if (to == TERM_NONE || from == TERM_NONE || length == TERM_NONE) return;
  bool fill = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 1))) != LLVMPointerTypeKind;
  if (term_is_constant(l->terms, length)) {
    l->volatile_access = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) != 0;
    lower_block_operation(l, fill ? STEP_FILL : STEP_COPY, to, from, (uint64_t)term_constant_value(l->terms, length));
    l->volatile_access = false;
    return;
  }
  LLVMValueRef model = unit_model(l->unit, loop);
  if (!model) {
    builder_cut(l, CUT_CONSTRUCT, loop);
    return;
  }
  Term arguments[] = {to, fill ? term_resize_unsigned(l->terms, from, 32) : from,
                      term_resize_unsigned(l->terms, length, l->unit->pointer_width)};
  uint32_t count;
  call_function(l, model, arguments, 3, &count);
}

static void lower_thread_local(Lowering *l, LLVMValueRef call) { value_bind_one(l, call, call_argument(l, call, 0)); }

// --- arithmetic ---

static void lower_with_overflow(Lowering *l, LLVMValueRef call, TermOperator op, TermOperator overflow) {
  Term a = call_argument(l, call, 0), b = call_argument(l, call, 1);
  if (a == TERM_NONE || b == TERM_NONE) return;
  Term leaves[] = {term_binary(l->terms, op, a, b), term_binary(l->terms, overflow, a, b)};
  value_bind(l, call, leaves, 2);
}

static Term count_ones(TermStore *t, Term a) {
  unsigned width = term_width(t, a);
  Term sum = term_constant(t, width, 0);
  for (unsigned i = 0; i < width; i++) sum = term_add(t, sum, term_zero_extend(t, term_extract(t, a, i, i), width));
  return sum;
}

static Term count_zeros(TermStore *t, Term a, bool leading) {
  unsigned width = term_width(t, a);
  Term count = term_constant(t, width, width);
  for (unsigned i = 0; i < width; i++) {
    unsigned bit = leading ? i : width - 1 - i; // the last term_ite, of the outermost bit, is tested first
    unsigned zeros = leading ? width - 1 - bit : bit;
    count = term_ite(t, term_extract(t, a, bit, bit), term_constant(t, width, zeros), count);
  }
  return count;
}

static Term swap_bytes(TermStore *t, Term a) {
  assert(term_width(t, a) % 16 == 0);
  unsigned width = term_width(t, a);
  Term swapped = term_extract(t, a, 7, 0);
  for (unsigned at = 8; at < width; at += 8)
    swapped = term_binary(t, TERM_CONCAT, swapped, term_extract(t, a, at + 7, at));
  return swapped;
}

static Term funnel_shift(TermStore *t, Term high, Term low, Term amount, bool left) {
  assert(term_width(t, low) == term_width(t, high) && term_width(t, amount) == term_width(t, high));
  unsigned width = term_width(t, high);
  Term wide = term_binary(t, TERM_CONCAT, high, low);
  Term by = term_zero_extend(t, term_binary(t, TERM_UREM, amount, term_constant(t, width, width)), 2 * width);
  Term shifted = term_binary(t, left ? TERM_SHL : TERM_LSHR, wide, by);
  return left ? term_extract(t, shifted, 2 * width - 1, width) : term_extract(t, shifted, width - 1, 0);
}

static Term clear_sign(TermStore *t, Term a) {
  assert(term_width(t, a) == 32 || term_width(t, a) == 64);
  unsigned width = term_width(t, a);
  return term_and(t, a, term_constant(t, width, bits_mask(width - 1)));
}

static Term copy_sign(TermStore *t, Term a, Term sign) {
  unsigned width = term_width(t, a);
  return term_or(t, clear_sign(t, a), term_and(t, sign, term_constant(t, width, (Bits)1 << (width - 1))));
}

static Term absolute(TermStore *t, Term a) {
  Term negative = term_binary(t, TERM_SLT, a, term_constant(t, term_width(t, a), 0));
  return term_ite(t, negative, term_unary(t, TERM_NEG, a), a);
}

static Term extreme(TermStore *t, TermOperator less, Term a, Term b, bool largest) {
  Term smaller = term_binary(t, less, a, b);
  return largest ? term_ite(t, smaller, b, a) : term_ite(t, smaller, a, b);
}

static Term float_extreme(TermStore *t, Term a, Term b, bool largest) {
  Term ordered = term_binary(t, TERM_FP_LT, a, b);
  Term pick = largest ? term_ite(t, ordered, b, a) : term_ite(t, ordered, a, b);
  pick = term_ite(t, term_unary(t, TERM_FP_IS_NAN, a), b, pick);
  return term_ite(t, term_unary(t, TERM_FP_IS_NAN, b), a, pick);
}

static Term reverse_bits(TermStore *t, Term a) {
  Term reversed = term_extract(t, a, 0, 0);
  for (unsigned i = 1; i < term_width(t, a); i++)
    reversed = term_binary(t, TERM_CONCAT, reversed, term_extract(t, a, i, i));
  return reversed;
}

// Is the number of one of the classes whose bits are set in `wanted`? Their order is LLVM's.
static Term is_of_class(TermStore *t, Term a, Term wanted) {
  if (!term_is_constant(t, wanted)) return TERM_NONE;
  unsigned width = term_width(t, a), fraction = width == 32 ? 23 : 52;
  assert(width == 32 || width == 64);
  Bits mask = term_constant_value(t, wanted);
  Term exponent = term_extract(t, a, width - 2, fraction), rest = term_extract(t, a, fraction - 1, 0);
  Term negative = term_extract(t, a, width - 1, width - 1), quiet = term_extract(t, a, fraction - 1, fraction - 1);
  Term none = term_eq(t, exponent, term_constant(t, width - 1 - fraction, 0));
  Term all = term_eq(t, exponent, term_constant(t, width - 1 - fraction, bits_mask(width - 1 - fraction)));
  Term whole = term_eq(t, rest, term_constant(t, fraction, 0)), nan = term_and(t, all, term_not(t, whole));
  Term infinite = term_and(t, all, whole), normal = term_and(t, term_not(t, none), term_not(t, all));
  Term subnormal = term_and(t, none, term_not(t, whole)), zero = term_and(t, none, whole);
  Term kinds[] = {infinite, normal, subnormal, zero};
  Term found = term_or(t, term_and(t, term_constant(t, 1, mask & 1), term_and(t, nan, term_not(t, quiet))),
                       term_and(t, term_constant(t, 1, mask >> 1 & 1), term_and(t, nan, quiet)));
  for (unsigned i = 0; i < 4; i++) {
    Term below = term_and(t, term_constant(t, 1, mask >> (2 + i) & 1), negative);
    Term above = term_and(t, term_constant(t, 1, mask >> (9 - i) & 1), term_not(t, negative));
    found = term_or(t, found, term_and(t, kinds[i], term_or(t, below, above)));
  }
  return found;
}

// Intrinsics that are functions of one to three scalars; TERM_NONE if `name` is none of them.
static Term pure_intrinsic(TermStore *t, const char *name, Term a, Term b, Term c) {
  assert(a != TERM_NONE);
  if (starts_with(name, "ctpop.")) return count_ones(t, a);
  if (starts_with(name, "ctlz.")) return count_zeros(t, a, true);
  if (starts_with(name, "cttz.")) return count_zeros(t, a, false);
  if (starts_with(name, "bswap.")) return swap_bytes(t, a);
  if (starts_with(name, "fshl.")) return funnel_shift(t, a, b, c, true);
  if (starts_with(name, "fshr.")) return funnel_shift(t, a, b, c, false);
  if (starts_with(name, "abs.")) return absolute(t, a);
  if (starts_with(name, "smax.")) return extreme(t, TERM_SLT, a, b, true);
  if (starts_with(name, "smin.")) return extreme(t, TERM_SLT, a, b, false);
  if (starts_with(name, "umax.")) return extreme(t, TERM_ULT, a, b, true);
  if (starts_with(name, "umin.")) return extreme(t, TERM_ULT, a, b, false);
  if (starts_with(name, "fabs.")) return clear_sign(t, a);
  if (starts_with(name, "copysign.")) return copy_sign(t, a, b);
  if (starts_with(name, "sqrt.")) return term_unary(t, TERM_FP_SQRT, a);
  if (starts_with(name, "maxnum.")) return float_extreme(t, a, b, true);
  if (starts_with(name, "minnum.")) return float_extreme(t, a, b, false);
  if (starts_with(name, "fmuladd.")) return term_binary(t, TERM_FP_ADD, term_binary(t, TERM_FP_MUL, a, b), c);
  if (starts_with(name, "expect.")) return a;
  if (starts_with(name, "bitreverse.")) return reverse_bits(t, a);
  if (starts_with(name, "is.fpclass.")) return is_of_class(t, a, b);
  if (starts_with(name, "ptrmask.")) return term_and(t, a, b);
  return TERM_NONE;
}

static bool is_modelled(const Lowering *l, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return type_width(l->unit, vector ? LLVMGetElementType(type) : type) != 0;
}

// Of vectors, lane by lane; an operand that is no vector is the same for each.
static bool lower_pure(Lowering *l, LLVMValueRef call, const char *name) {
  unsigned count = LLVMGetNumArgOperands(call);
  if (count == 0 || count > 3 || !is_modelled(l, call)) return false;
  const Term *operands[3] = {NULL};
  uint32_t lanes[3] = {0}, most = 1;
  for (unsigned i = 0; i < count; i++) {
    if (!is_modelled(l, LLVMGetOperand(call, i))) return false;
    operands[i] = value_terms(l, LLVMGetOperand(call, i), &lanes[i]);
    if (!operands[i]) return l->current == NO_ID;
    if (lanes[i] > most) most = lanes[i];
  }
  Term *results = arena_allocate(&l->scratch, most * sizeof *results);
  for (uint32_t lane = 0; lane < most; lane++) {
    Term own[3] = {TERM_NONE, TERM_NONE, TERM_NONE};
    for (unsigned i = 0; i < count; i++) own[i] = operands[i][lanes[i] > 1 ? lane : 0];
    results[lane] = pure_intrinsic(l->terms, name, own[0], own[1], own[2]);
    if (results[lane] == TERM_NONE) return false;
  }
  value_bind(l, call, results, most);
  return true;
}

// Rounding is a model in C: llvm.floor.f64 is floor, llvm.floor.f32 is floorf.
static bool lower_rounding(Lowering *l, LLVMValueRef call, const char *name) {
  static const char *const names[] = {"floor", "ceil", "trunc", "round", "rint", "nearbyint"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (!starts_with(name, names[i]) || name[length] != '.') continue;
    bool narrow = strcmp(name + length, ".f32") == 0;
    const char *model_name = intern_format(&l->program->strings, "%s%s", names[i], narrow ? "f" : "");
    LLVMValueRef model = unit_model(l->unit, model_name);
    bool modelled = model && (narrow || strcmp(name + length, ".f64") == 0);
    if (!modelled) return false;
    Term operand = call_argument(l, call, 0);
    if (operand == TERM_NONE) return true;
    uint32_t count;
    const Term *result = call_function(l, model, &operand, 1, &count);
    if (result && count == 1) value_bind(l, call, result, 1);
    return true;
  }
  return false;
}

static bool lower_overflow(Lowering *l, LLVMValueRef call, const char *name) {
  static const struct {
    const char *name;
    TermOperator op, overflow;
  } rows[] = {{"sadd.with", TERM_ADD, TERM_SADDO}, {"uadd.with", TERM_ADD, TERM_UADDO},
              {"ssub.with", TERM_SUB, TERM_SSUBO}, {"usub.with", TERM_SUB, TERM_USUBO},
              {"smul.with", TERM_MUL, TERM_SMULO}, {"umul.with", TERM_MUL, TERM_UMULO}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!starts_with(name, rows[i].name)) continue;
    lower_with_overflow(l, call, rows[i].op, rows[i].overflow);
    return true;
  }
  return false;
}

// Intrinsics without an effect that the model knows.
static bool has_no_effect(const char *name) {
  static const char *const names[] = {
      "dbg.",           "assume",     "stacksave", "stackrestore", "prefetch", "donothing", "experimental.noalias",
      "var.annotation", "invariant.", "va_end"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (starts_with(name, names[i])) return true;
  return false;
}

static void bind_constant(Lowering *l, LLVMValueRef call, Bits value) {
  assert(type_width(l->unit, LLVMTypeOf(call)) > 0);
  value_bind_one(l, call, term_constant(l->terms, type_width(l->unit, LLVMTypeOf(call)), value));
}

bool lower_intrinsic(Lowering *l, LLVMValueRef call, const char *full_name) {
  assert(starts_with(full_name, "llvm."));
  const char *name = full_name + strlen("llvm.");
  if (starts_with(name, "lifetime.start")) {
    stack_birth(l, LLVMGetOperand(call, 1), true);
    return true;
  }
  if (starts_with(name, "lifetime.end")) {
    stack_end(l, LLVMGetOperand(call, 1));
    return true;
  }
  if (starts_with(name, "va_start")) {
    varargs_start(l, call);
    return true;
  }
  if (starts_with(name, "va_copy")) {
    varargs_copy(l, call);
    return true;
  }
  if (starts_with(name, "dbg.label")) lower_label(l, call);
  if (starts_with(name, "stackrestore")) stack_restore(l, call);
  if (has_no_effect(name)) {
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind) bind_constant(l, call, 0);
    return true;
  }
  if (starts_with(name, "memcpy.") || starts_with(name, "memmove.") || starts_with(name, "memset.")) {
    bool move = starts_with(name, "memmove."), set = starts_with(name, "memset.");
    lower_copy(l, call, move ? "memmove" : set ? "memset" : "memcpy");
    return true;
  }
  if (starts_with(name, "threadlocal.address")) {
    lower_thread_local(l, call);
    return true;
  }
  if (starts_with(name, "trap") || starts_with(name, "debugtrap") || starts_with(name, "ubsantrap")) {
    Step halt = builder_step(l);
    halt.kind = STEP_HALT;
    builder_end(l, &halt);
    return true;
  }
  if (starts_with(name, "objectsize.")) {
    bind_constant(l, call, ~(Bits)0);
    return true;
  }
  if (starts_with(name, "is.constant.")) {
    bind_constant(l, call, 0);
    return true;
  }
  return lower_overflow(l, call, name) || lower_rounding(l, call, name) || lower_pure(l, call, name) ||
         lower_target_intrinsic(l, call, name);
}
