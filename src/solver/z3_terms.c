#include "solver/z3_terms.h"

Z3_ast z3_terms_keep(Z3Terms *terms, Z3_ast ast) {
  assert(ast != NULL);
  Z3_inc_ref(terms->context, ast);
  U64Vector_push(&terms->kept, (uintptr_t)ast);
  return ast;
}

// Sorts are expressions to Z3's reference counting. They are few and hash-consed, so keeping each use is cheap.
static Z3_sort keep_sort(Z3Terms *terms, Z3_sort sort) {
  z3_terms_keep(terms, Z3_sort_to_ast(terms->context, sort));
  return sort;
}

static Z3_sort bits_sort(Z3Terms *terms, unsigned width) {
  return keep_sort(terms, Z3_mk_bv_sort(terms->context, width));
}

static Z3_sort array_sort(Z3Terms *terms, Sort sort) {
  Z3_sort index = bits_sort(terms, sort_index_width(sort)), element = bits_sort(terms, sort_element_width(sort));
  return keep_sort(terms, Z3_mk_array_sort(terms->context, index, element));
}

static Z3_sort float_sort(Z3Terms *terms, unsigned width) {
  assert(width == 32 || width == 64);
  Z3_context c = terms->context;
  return keep_sort(terms, width == 32 ? Z3_mk_fpa_sort_32(c) : Z3_mk_fpa_sort_64(c));
}

Z3_ast z3_terms_constant(Z3Terms *terms, unsigned width, Bits value) {
  if (width <= 64) {
    Z3_sort sort = bits_sort(terms, width);
    return z3_terms_keep(terms, Z3_mk_unsigned_int64(terms->context, (uint64_t)value, sort));
  }
  Z3_ast high = z3_terms_constant(terms, width - 64, value >> 64);
  Z3_ast low = z3_terms_constant(terms, 64, value & UINT64_MAX);
  return z3_terms_keep(terms, Z3_mk_concat(terms->context, high, low));
}

void z3_terms_init(Z3Terms *terms, Z3_context context, const TermStore *store, Account *account) {
  *terms = (Z3Terms){.context = context, .store = store};
  map_init(&terms->cache, account);
  U64Vector_init(&terms->kept, account);
  TermVector_init(&terms->stack, account);
  terms->bit_zero = z3_terms_constant(terms, 1, 0);
  terms->bit_one = z3_terms_constant(terms, 1, 1);
  terms->to_even = z3_terms_keep(terms, Z3_mk_fpa_rne(context));
  terms->to_zero = z3_terms_keep(terms, Z3_mk_fpa_rtz(context));
}

void z3_terms_free(Z3Terms *terms) {
  for (size_t i = 0; i < terms->kept.count; i++) {
    Z3_dec_ref(terms->context, (Z3_ast)(uintptr_t)terms->kept.data[i]);
  }
  map_free(&terms->cache);
  U64Vector_free(&terms->kept);
  TermVector_free(&terms->stack);
}

bool z3_terms_lacks(const TermStore *store, Term t) { return term_operator(store, t) == TERM_FP_REM; }

// --- children ---

static Z3_ast find(const Z3Terms *terms, Term t) { return (Z3_ast)(uintptr_t)map_get_or(&terms->cache, t, 0); }

static Z3_ast child(const Z3Terms *terms, Term t, unsigned i) {
  Z3_ast ast = find(terms, term_child(terms->store, t, i));
  assert(ast != NULL);
  return ast;
}

static Z3_ast bool_to_bits(Z3Terms *terms, Z3_ast boolean) {
  return z3_terms_keep(terms, Z3_mk_ite(terms->context, boolean, terms->bit_one, terms->bit_zero));
}

static Z3_ast bits_to_bool(Z3Terms *terms, Z3_ast bits) {
  return z3_terms_keep(terms, Z3_mk_eq(terms->context, bits, terms->bit_one));
}

static Z3_ast child_bits(Z3Terms *terms, Term t, unsigned i) {
  Z3_ast ast = child(terms, t, i);
  return term_width(terms->store, term_child(terms->store, t, i)) == 1 ? bool_to_bits(terms, ast) : ast;
}

static unsigned child_width(const Z3Terms *terms, Term t, unsigned i) {
  return term_width(terms->store, term_child(terms->store, t, i));
}

// What the operator gave in bits, as the expression of a term of that width.
static Z3_ast from_bits(Z3Terms *terms, unsigned width, Z3_ast bits) {
  return width == 1 ? bits_to_bool(terms, bits) : bits;
}

static Z3_ast not_of(Z3Terms *terms, Z3_ast boolean) {
  return z3_terms_keep(terms, Z3_mk_not(terms->context, boolean));
}

static Z3_ast and_of(Z3Terms *terms, Z3_ast a, Z3_ast b) {
  return z3_terms_keep(terms, Z3_mk_and(terms->context, 2, (const Z3_ast[]){a, b}));
}

static Z3_ast or_of(Z3Terms *terms, Z3_ast a, Z3_ast b) {
  return z3_terms_keep(terms, Z3_mk_or(terms->context, 2, (const Z3_ast[]){a, b}));
}

static Z3_ast equal_of(Z3Terms *terms, Z3_ast a, Z3_ast b) {
  return z3_terms_keep(terms, Z3_mk_eq(terms->context, a, b));
}

static Z3_ast ite_of(Z3Terms *terms, Z3_ast condition, Z3_ast a, Z3_ast b) {
  return z3_terms_keep(terms, Z3_mk_ite(terms->context, condition, a, b));
}

// --- bit-vectors ---

typedef Z3_ast (*BinaryMaker)(Z3_context, Z3_ast, Z3_ast);

static BinaryMaker bits_maker(TermOperator op) {
  static const BinaryMaker makers[TERM_OPERATOR_COUNT] = {
      [TERM_AND] = Z3_mk_bvand,
      [TERM_OR] = Z3_mk_bvor,
      [TERM_XOR] = Z3_mk_bvxor,
      [TERM_ADD] = Z3_mk_bvadd,
      [TERM_SUB] = Z3_mk_bvsub,
      [TERM_MUL] = Z3_mk_bvmul,
      [TERM_UDIV] = Z3_mk_bvudiv,
      [TERM_UREM] = Z3_mk_bvurem,
      [TERM_SDIV] = Z3_mk_bvsdiv,
      [TERM_SREM] = Z3_mk_bvsrem,
      [TERM_SMOD] = Z3_mk_bvsmod,
      [TERM_SHL] = Z3_mk_bvshl,
      [TERM_LSHR] = Z3_mk_bvlshr,
      [TERM_ASHR] = Z3_mk_bvashr,
      [TERM_ROTL] = Z3_mk_ext_rotate_left,
      [TERM_ROTR] = Z3_mk_ext_rotate_right,
      [TERM_CONCAT] = Z3_mk_concat,
  };
  return makers[op];
}

static BinaryMaker comparison_maker(TermOperator op) {
  static const BinaryMaker makers[TERM_OPERATOR_COUNT] = {
      [TERM_ULT] = Z3_mk_bvult, [TERM_ULE] = Z3_mk_bvule,   [TERM_SLT] = Z3_mk_bvslt,
      [TERM_SLE] = Z3_mk_bvsle, [TERM_USUBO] = Z3_mk_bvult,
  };
  return makers[op];
}

// Connectives stay booleans on width 1.
static Z3_ast connective(Z3Terms *terms, Term t) {
  switch (term_operator(terms->store, t)) {
  case TERM_NOT: return not_of(terms, child(terms, t, 0));
  case TERM_AND: return and_of(terms, child(terms, t, 0), child(terms, t, 1));
  case TERM_OR: return or_of(terms, child(terms, t, 0), child(terms, t, 1));
  case TERM_XOR: return z3_terms_keep(terms, Z3_mk_xor(terms->context, child(terms, t, 0), child(terms, t, 1)));
  default: return NULL;
  }
}

// Signed addition or subtraction does not fit: the result in one bit more differs from its low part extended.
static Z3_ast signed_overflow(Z3Terms *terms, BinaryMaker maker, Z3_ast a, Z3_ast b, unsigned width) {
  Z3_context c = terms->context;
  Z3_ast wide_a = z3_terms_keep(terms, Z3_mk_sign_ext(c, 1, a)), wide_b = z3_terms_keep(terms, Z3_mk_sign_ext(c, 1, b));
  Z3_ast wide = z3_terms_keep(terms, maker(c, wide_a, wide_b));
  Z3_ast top = z3_terms_keep(terms, Z3_mk_extract(c, width, width, wide));
  Z3_ast below = z3_terms_keep(terms, Z3_mk_extract(c, width - 1, width - 1, wide));
  return not_of(terms, equal_of(terms, top, below));
}

// The product in twice the width differs from its low half extended. Z3's own bvmul_no_overflow is not used: for
// signed constants it gives wrong answers in Z3 4.8.12.
static Z3_ast multiplication_overflow(Z3Terms *terms, bool is_signed, Z3_ast a, Z3_ast b, unsigned width) {
  Z3_context c = terms->context;
  Z3_ast (*extend)(Z3_context, unsigned, Z3_ast) = is_signed ? Z3_mk_sign_ext : Z3_mk_zero_ext;
  Z3_ast wide_a = z3_terms_keep(terms, extend(c, width, a)), wide_b = z3_terms_keep(terms, extend(c, width, b));
  Z3_ast wide = z3_terms_keep(terms, Z3_mk_bvmul(c, wide_a, wide_b));
  Z3_ast low = z3_terms_keep(terms, Z3_mk_extract(c, width - 1, 0, wide));
  return not_of(terms, equal_of(terms, wide, z3_terms_keep(terms, extend(c, width, low))));
}

static Z3_ast overflow(Z3Terms *terms, Term t) {
  Z3_context c = terms->context;
  unsigned width = child_width(terms, t, 0);
  Z3_ast a = child_bits(terms, t, 0), smallest = z3_terms_constant(terms, width, (Bits)1 << (width - 1));
  Z3_ast b = term_arity(terms->store, t) > 1 ? child_bits(terms, t, 1) : NULL;
  switch (term_operator(terms->store, t)) {
  case TERM_NEGO: return equal_of(terms, a, smallest);
  case TERM_UADDO: return z3_terms_keep(terms, Z3_mk_bvult(c, z3_terms_keep(terms, Z3_mk_bvadd(c, a, b)), a));
  case TERM_SADDO: return signed_overflow(terms, Z3_mk_bvadd, a, b, width);
  case TERM_SSUBO: return signed_overflow(terms, Z3_mk_bvsub, a, b, width);
  case TERM_UMULO: return multiplication_overflow(terms, false, a, b, width);
  case TERM_SMULO: return multiplication_overflow(terms, true, a, b, width);
  default: {
    assert(term_operator(terms->store, t) == TERM_SDIVO);
    Z3_ast minus_one = z3_terms_constant(terms, width, bits_mask(width));
    return and_of(terms, equal_of(terms, a, smallest), equal_of(terms, b, minus_one));
  }
  }
}

static Z3_ast extension(Z3Terms *terms, Term t) {
  Z3_context c = terms->context;
  unsigned more = term_width(terms->store, t) - child_width(terms, t, 0);
  Z3_ast a = child_bits(terms, t, 0);
  bool zero = term_operator(terms->store, t) == TERM_ZEXT;
  return z3_terms_keep(terms, zero ? Z3_mk_zero_ext(c, more, a) : Z3_mk_sign_ext(c, more, a));
}

static Z3_ast variable(Z3Terms *terms, Term t) {
  Z3_context c = terms->context;
  Sort sort = term_sort(terms->store, t);
  Z3_sort z3_sort = sort_is_array(sort) ? array_sort(terms, sort)
                    : sort == 1         ? keep_sort(terms, Z3_mk_bool_sort(c))
                                        : bits_sort(terms, sort);
  Z3_symbol name = Z3_mk_int_symbol(c, (int)term_variable_index(terms->store, t));
  return z3_terms_keep(terms, Z3_mk_const(c, name, z3_sort));
}

// --- arrays ---

static Z3_ast array_operation(Z3Terms *terms, Term t) {
  Z3_context c = terms->context;
  const TermStore *store = terms->store;
  switch (term_operator(store, t)) {
  case TERM_SELECT: {
    Z3_ast element = z3_terms_keep(terms, Z3_mk_select(c, child(terms, t, 0), child_bits(terms, t, 1)));
    return from_bits(terms, term_width(store, t), element);
  }
  case TERM_STORE: {
    Z3_ast index = child_bits(terms, t, 1), element = child_bits(terms, t, 2);
    return z3_terms_keep(terms, Z3_mk_store(c, child(terms, t, 0), index, element));
  }
  default: {
    assert(term_operator(store, t) == TERM_CONST_ARRAY);
    Z3_sort index = bits_sort(terms, sort_index_width(term_sort(store, t)));
    return z3_terms_keep(terms, Z3_mk_const_array(c, index, child_bits(terms, t, 0)));
  }
  }
}

// --- floating point ---

static Z3_ast float_of_bits(Z3Terms *terms, unsigned width, Z3_ast bits) {
  Z3_sort sort = float_sort(terms, width);
  return z3_terms_keep(terms, Z3_mk_fpa_to_fp_bv(terms->context, bits, sort));
}

static Z3_ast float_child(Z3Terms *terms, Term t, unsigned i) {
  return float_of_bits(terms, child_width(terms, t, i), child_bits(terms, t, i));
}

static Z3_ast bits_of_float(Z3Terms *terms, unsigned width, Z3_ast value) {
  Z3_context c = terms->context;
  Z3_ast is_nan = z3_terms_keep(terms, Z3_mk_fpa_is_nan(c, value));
  Z3_ast nan = z3_terms_constant(terms, width, width == 32 ? 0x7fc00000u : UINT64_C(0x7ff8000000000000));
  return ite_of(terms, is_nan, nan, z3_terms_keep(terms, Z3_mk_fpa_to_ieee_bv(c, value)));
}

// Two to the power of `exponent` >= 0, or infinity if that is too large.
static Z3_ast power_of_two(Z3Terms *terms, unsigned width, unsigned exponent) {
  unsigned bias = width == 32 ? 127 : 1023, fraction_bits = width == 32 ? 23 : 52;
  uint64_t field = exponent > bias ? 2 * bias + 1 : exponent + bias;
  return float_of_bits(terms, width, z3_terms_constant(terms, width, (Bits)field << fraction_bits));
}

// Truncates; what is out of range, NaN included, gives 0.
static Z3_ast float_to_integer(Z3Terms *terms, Term t) {
  Z3_context c = terms->context;
  unsigned from = child_width(terms, t, 0), to = term_width(terms->store, t);
  bool is_signed = term_operator(terms->store, t) == TERM_FP_TO_SINT;
  Z3_ast value = z3_terms_keep(terms, Z3_mk_fpa_round_to_integral(c, terms->to_zero, float_child(terms, t, 0)));
  Z3_ast limit = power_of_two(terms, from, is_signed ? to - 1 : to), lowest;
  if (is_signed)
    lowest = z3_terms_keep(terms, Z3_mk_fpa_neg(c, limit));
  else
    lowest = float_of_bits(terms, from, z3_terms_constant(terms, from, 0));
  Z3_ast high_enough = z3_terms_keep(terms, Z3_mk_fpa_leq(c, lowest, value));
  Z3_ast low_enough = z3_terms_keep(terms, Z3_mk_fpa_lt(c, value, limit));
  Z3_ast in_range = and_of(terms, high_enough, low_enough);
  Z3_ast bits = z3_terms_keep(terms, is_signed ? Z3_mk_fpa_to_sbv(c, terms->to_zero, value, to)
                                               : Z3_mk_fpa_to_ubv(c, terms->to_zero, value, to));
  return from_bits(terms, to, ite_of(terms, in_range, bits, z3_terms_constant(terms, to, 0)));
}

// The operators whose result is a floating-point number; NULL for others.
static Z3_ast float_result(Z3Terms *terms, Term t) {
  Z3_context c = terms->context;
  Z3_sort sort;
  Z3_ast a, b;
  switch (term_operator(terms->store, t)) {
  case TERM_FP_ADD:
  case TERM_FP_SUB:
  case TERM_FP_MUL:
  case TERM_FP_DIV: {
    static Z3_ast (*const makers[])(Z3_context, Z3_ast, Z3_ast, Z3_ast) = {Z3_mk_fpa_add, Z3_mk_fpa_sub, Z3_mk_fpa_mul,
                                                                           Z3_mk_fpa_div};
    a = float_child(terms, t, 0);
    b = float_child(terms, t, 1);
    return z3_terms_keep(terms, makers[term_operator(terms->store, t) - TERM_FP_ADD](c, terms->to_even, a, b));
  }
  case TERM_FP_SQRT: return z3_terms_keep(terms, Z3_mk_fpa_sqrt(c, terms->to_even, float_child(terms, t, 0)));
  case TERM_FP_TO_FP:
    a = float_child(terms, t, 0);
    sort = float_sort(terms, term_width(terms->store, t));
    return z3_terms_keep(terms, Z3_mk_fpa_to_fp_float(c, terms->to_even, a, sort));
  case TERM_FP_FROM_SINT:
    sort = float_sort(terms, term_width(terms->store, t));
    return z3_terms_keep(terms, Z3_mk_fpa_to_fp_signed(c, terms->to_even, child_bits(terms, t, 0), sort));
  case TERM_FP_FROM_UINT:
    sort = float_sort(terms, term_width(terms->store, t));
    return z3_terms_keep(terms, Z3_mk_fpa_to_fp_unsigned(c, terms->to_even, child_bits(terms, t, 0), sort));
  default: return NULL;
  }
}

static Z3_ast floating_point(Z3Terms *terms, Term t) {
  Z3_context c = terms->context;
  TermOperator op = term_operator(terms->store, t);
  if (op == TERM_FP_TO_SINT || op == TERM_FP_TO_UINT) return float_to_integer(terms, t);
  if (op == TERM_FP_IS_NAN) return z3_terms_keep(terms, Z3_mk_fpa_is_nan(c, float_child(terms, t, 0)));
  Z3_ast result = float_result(terms, t);
  if (result != NULL) return bits_of_float(terms, term_width(terms->store, t), result);
  Z3_ast a = float_child(terms, t, 0), b = float_child(terms, t, 1);
  if (op == TERM_FP_EQ) return z3_terms_keep(terms, Z3_mk_fpa_eq(c, a, b));
  if (op == TERM_FP_LT) return z3_terms_keep(terms, Z3_mk_fpa_lt(c, a, b));
  assert(op == TERM_FP_LE);
  return z3_terms_keep(terms, Z3_mk_fpa_leq(c, a, b));
}

// --- all together ---

static Z3_ast translate(Z3Terms *terms, Term t) {
  Z3_context c = terms->context;
  const TermStore *store = terms->store;
  TermOperator op = term_operator(store, t);
  Sort sort = term_sort(store, t);
  if (op >= TERM_FP_ADD) return floating_point(terms, t);
  if (op >= TERM_SELECT) return array_operation(terms, t);
  if (comparison_maker(op) != NULL) {
    Z3_ast a = child_bits(terms, t, 0), b = child_bits(terms, t, 1);
    return z3_terms_keep(terms, comparison_maker(op)(c, a, b));
  }
  if (op >= TERM_NEGO) return overflow(terms, t);
  Z3_ast boolean = sort == 1 ? connective(terms, t) : NULL;
  if (boolean != NULL) return boolean;
  if (bits_maker(op) != NULL) {
    Z3_ast a = child_bits(terms, t, 0), b = child_bits(terms, t, 1);
    return from_bits(terms, sort, z3_terms_keep(terms, bits_maker(op)(c, a, b)));
  }
  switch (op) {
  case TERM_CONSTANT:
    if (sort == 1) return z3_terms_keep(terms, term_is_true(store, t) ? Z3_mk_true(c) : Z3_mk_false(c));
    return z3_terms_constant(terms, sort, term_constant_value(store, t));
  case TERM_VARIABLE: return variable(terms, t);
  case TERM_NOT: return z3_terms_keep(terms, Z3_mk_bvnot(c, child(terms, t, 0)));
  case TERM_NEG: return from_bits(terms, sort, z3_terms_keep(terms, Z3_mk_bvneg(c, child_bits(terms, t, 0))));
  case TERM_EXTRACT: {
    Z3_ast a = child_bits(terms, t, 0);
    Z3_ast part = Z3_mk_extract(c, term_parameter(store, t, 0), term_parameter(store, t, 1), a);
    return from_bits(terms, sort, z3_terms_keep(terms, part));
  }
  case TERM_ZEXT:
  case TERM_SEXT: return extension(terms, t);
  case TERM_EQ: return equal_of(terms, child(terms, t, 0), child(terms, t, 1));
  default: assert(op == TERM_ITE); return ite_of(terms, child(terms, t, 0), child(terms, t, 1), child(terms, t, 2));
  }
}

Z3_ast z3_terms_get(Z3Terms *terms, Term t) {
  assert(TermVector_empty(&terms->stack));
  TermVector_push(&terms->stack, t);
  while (!TermVector_empty(&terms->stack)) {
    Term at = *TermVector_last(&terms->stack);
    bool ready = true;
    for (unsigned i = 0; find(terms, at) == NULL && i < term_arity(terms->store, at); i++) {
      Term below = term_child(terms->store, at, i);
      if (find(terms, below) != NULL) continue;
      TermVector_push(&terms->stack, below);
      ready = false;
    }
    if (!ready) continue;
    if (find(terms, at) == NULL) map_put(&terms->cache, at, (uintptr_t)translate(terms, at));
    TermVector_pop(&terms->stack);
  }
  return find(terms, t);
}
