#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/term.h"

#include <string.h>
#include <time.h>

// Each test gets a store with some variables; the account must be empty when it ends.
typedef struct World {
  Account account;
  TermStore *s;
  Term x, y, z; // 32 bits
  Term c, d;    // 8 bits
  Term p, q, r; // booleans
  Term u;       // 64 bits
  Term wide;    // 128 bits
  Term a, b;    // arrays from 32 to 8 bits
  Term f, g;    // 64 bits, used as floating point
  Text text;
} World;

static World open_world(void) {
  World w = {.account = {.room = "term"}};
  return w;
}

static void fill(World *w) {
  w->s = term_store_new(&w->account);
  w->x = term_variable(w->s, 32, "x"), w->y = term_variable(w->s, 32, "y"), w->z = term_variable(w->s, 32, "z");
  w->c = term_variable(w->s, 8, "c"), w->d = term_variable(w->s, 8, "d");
  w->p = term_variable(w->s, 1, "p"), w->q = term_variable(w->s, 1, "q"), w->r = term_variable(w->s, 1, "r");
  w->u = term_variable(w->s, 64, "u"), w->wide = term_variable(w->s, 128, "wide");
  w->a = term_variable(w->s, sort_array(32, 8), "a"), w->b = term_variable(w->s, sort_array(32, 8), "b");
  w->f = term_variable(w->s, 64, "f"), w->g = term_variable(w->s, 64, "g");
  text_init(&w->text, &w->account);
}

static void close_world(World *w) {
  text_free(&w->text);
  term_store_free(w->s);
  assert_int_equal(w->account.bytes, 0);
  assert_true(w->account.peak > 0);
}

static Term k(World *w, Bits value) { return term_constant(w->s, 32, value); }
static Term k8(World *w, Bits value) { return term_constant(w->s, 8, value); }
static Term op(World *w, TermOperator o, Term a, Term b) { return term_binary(w->s, o, a, b); }

// --- the store ---

static void equal_terms_are_one(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  assert_int_equal(term_add(w.s, w.x, w.y), term_add(w.s, w.y, w.x));
  assert_int_not_equal(op(&w, TERM_SUB, w.x, w.y), op(&w, TERM_SUB, w.y, w.x));
  assert_int_equal(term_constant(w.s, 128, (Bits)7 << 100), term_constant(w.s, 128, (Bits)7 << 100));
  assert_int_not_equal(term_constant(w.s, 128, (Bits)7 << 100), term_constant(w.s, 127, (Bits)7 << 100));
  assert_int_not_equal(term_constant(w.s, 128, (Bits)7 << 100), term_constant(w.s, 128, (Bits)7 << 99));
  assert_true(term_constant_value(w.s, term_constant(w.s, 128, (Bits)7 << 100)) == (Bits)7 << 100);
  assert_int_equal(term_constant_value(w.s, k8(&w, 0x1ff)), 0xff);
  Term again = term_variable(w.s, 32, "x");
  assert_int_not_equal(again, w.x);
  assert_string_equal(term_variable_name(w.s, again), "x");
  assert_int_equal(term_variable_by_index(w.s, term_variable_index(w.s, again)), again);
  assert_int_equal(term_store_variable_count(w.s), 15);
  assert_int_equal(term_operator(w.s, term_add(w.s, w.x, w.y)), TERM_ADD);
  assert_int_equal(term_arity(w.s, term_add(w.s, w.x, w.y)), 2);
  assert_true(term_has_array(w.s, term_select(w.s, w.a, w.x)));
  assert_false(term_has_array(w.s, w.x));
  assert_true(term_has_floating_point(w.s, term_not(w.s, op(&w, TERM_FP_LT, w.f, w.g))));
  assert_false(term_has_floating_point(w.s, op(&w, TERM_ULT, w.f, w.g)));
  close_world(&w);
}

static void many_terms(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  enum { COUNT = 200000 };
  TermVector terms;
  TermVector_init(&terms, &w.account);
  for (unsigned i = 0; i < COUNT; i++) TermVector_push(&terms, op(&w, TERM_MUL, w.x, k(&w, 3 + i)));
  size_t size = term_store_size(w.s);
  for (unsigned i = 0; i < COUNT; i++) assert_int_equal(op(&w, TERM_MUL, k(&w, 3 + i), w.x), terms.data[i]);
  assert_int_equal(term_store_size(w.s), size);
  TermVector_free(&terms);
  close_world(&w);
}

// --- rules, one line each ---

static void arithmetic_rules(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  assert_int_equal(term_add_constant(w.s, term_add_constant(w.s, w.x, 1), 2), term_add_constant(w.s, w.x, 3));
  assert_int_equal(term_sub(w.s, w.x, w.x), k(&w, 0));
  assert_int_equal(op(&w, TERM_XOR, w.x, w.x), k(&w, 0));
  assert_int_equal(term_sub(w.s, term_add(w.s, w.x, w.y), w.x), w.y);
  assert_int_equal(term_add(w.s, term_sub(w.s, w.x, w.y), w.y), w.x);
  assert_int_equal(term_sub(w.s, term_add_constant(w.s, w.x, 5), w.x), k(&w, 5));
  assert_int_equal(op(&w, TERM_MUL, w.x, k(&w, 0)), k(&w, 0));
  assert_int_equal(op(&w, TERM_MUL, k(&w, 1), w.x), w.x);
  assert_int_equal(op(&w, TERM_UDIV, w.x, k(&w, 8)), op(&w, TERM_LSHR, w.x, k(&w, 3)));
  assert_int_equal(op(&w, TERM_UREM, w.x, k(&w, 8)), op(&w, TERM_AND, w.x, k(&w, 7)));
  assert_int_equal(op(&w, TERM_SHL, w.x, k(&w, 32)), k(&w, 0));
  assert_int_equal(op(&w, TERM_SHL, op(&w, TERM_SHL, w.x, k(&w, 3)), k(&w, 4)), op(&w, TERM_SHL, w.x, k(&w, 7)));
  assert_int_equal(term_unary(w.s, TERM_NEG, term_unary(w.s, TERM_NEG, w.x)), w.x);
  assert_int_equal(op(&w, TERM_SADDO, term_sign_extend(w.s, w.c, 32), k(&w, 1)), term_false(w.s));
  assert_int_equal(op(&w, TERM_ROTR, w.x, k(&w, 36)), op(&w, TERM_ROTL, w.x, k(&w, 28)));
  close_world(&w);
}

static void width_rules(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  Term wide = term_sign_extend(w.s, w.c, 32);
  assert_int_equal(term_extract(w.s, wide, 7, 0), w.c);
  assert_int_equal(term_extract(w.s, term_add_constant(w.s, wide, 1), 7, 0), term_add_constant(w.s, w.c, 1));
  assert_int_equal(term_sign_extend(w.s, term_zero_extend(w.s, w.c, 16), 32), term_zero_extend(w.s, w.c, 32));
  Term bytes[4];
  for (unsigned i = 0; i < 4; i++) bytes[i] = term_extract(w.s, w.x, 8 * i + 7, 8 * i);
  Term right = op(&w, TERM_CONCAT, bytes[3], op(&w, TERM_CONCAT, bytes[2], op(&w, TERM_CONCAT, bytes[1], bytes[0])));
  Term left = op(&w, TERM_CONCAT, op(&w, TERM_CONCAT, op(&w, TERM_CONCAT, bytes[3], bytes[2]), bytes[1]), bytes[0]);
  assert_int_equal(right, w.x);
  assert_int_equal(left, w.x);
  Term high = op(&w, TERM_SHL, term_zero_extend(w.s, w.c, 16), term_constant(w.s, 16, 8));
  assert_int_equal(term_or(w.s, high, term_zero_extend(w.s, w.d, 16)), op(&w, TERM_CONCAT, w.c, w.d));
  assert_int_equal(term_resize_signed(w.s, term_resize_unsigned(w.s, w.x, 64), 32), w.x);
  close_world(&w);
}

static void boolean_rules(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  Term yes = term_true(w.s), no = term_false(w.s), not_p = term_not(w.s, w.p), pq = term_and(w.s, w.p, w.q);
  assert_int_equal(term_not(w.s, not_p), w.p);
  assert_int_equal(term_and(w.s, w.p, not_p), no);
  assert_int_equal(term_or(w.s, w.p, not_p), yes);
  assert_int_equal(term_and(w.s, w.p, term_or(w.s, w.p, w.q)), w.p);
  assert_int_equal(term_and(w.s, w.p, term_or(w.s, not_p, w.q)), pq);
  assert_int_equal(term_or(w.s, w.p, pq), w.p);
  assert_int_equal(term_and(w.s, term_and(w.s, pq, w.r), w.q), term_and(w.s, pq, w.r));
  assert_int_equal(term_and(w.s, term_and(w.s, pq, w.r), not_p), no);
  assert_int_equal(term_implies(w.s, w.p, w.p), yes);
  Term is_one = term_eq(w.s, w.x, k(&w, 1)), is_two = term_eq(w.s, w.x, k(&w, 2));
  assert_int_equal(term_and(w.s, is_one, is_two), no);
  assert_int_equal(term_and(w.s, is_one, term_not(w.s, is_two)), is_one);
  assert_int_equal(term_and(w.s, term_and(w.s, is_one, w.p), is_two), no);
  Term less = op(&w, TERM_SLT, w.x, w.y);
  assert_int_equal(term_not(w.s, less), op(&w, TERM_SLE, w.y, w.x));
  assert_int_equal(term_and(w.s, less, op(&w, TERM_SLT, w.y, w.x)), no);
  assert_int_equal(term_or(w.s, less, term_eq(w.s, w.x, w.y)), op(&w, TERM_SLE, w.x, w.y));
  Term below_five = op(&w, TERM_ULT, w.x, k(&w, 5)), below_nine = op(&w, TERM_ULT, w.x, k(&w, 9));
  assert_int_equal(term_and(w.s, below_five, below_nine), below_five);
  assert_int_equal(term_or(w.s, below_five, below_nine), below_nine);
  assert_int_equal(term_and(w.s, op(&w, TERM_ULE, k(&w, 4), w.x), below_five), term_eq(w.s, w.x, k(&w, 4)));
  close_world(&w);
}

static void choice_rules(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  Term one = k(&w, 1), zero = k(&w, 0), as_int = term_ite(w.s, w.p, one, zero);
  assert_int_equal(term_is_nonzero(w.s, as_int), w.p);
  assert_int_equal(term_eq(w.s, as_int, zero), term_not(w.s, w.p));
  assert_int_equal(term_eq(w.s, as_int, k(&w, 2)), term_false(w.s));
  assert_int_equal(term_eq(w.s, term_ite(w.s, w.p, k(&w, 7), k(&w, 9)), k(&w, 9)), term_not(w.s, w.p));
  assert_int_equal(term_ite(w.s, term_not(w.s, w.p), w.x, w.y), term_ite(w.s, w.p, w.y, w.x));
  assert_int_equal(term_ite(w.s, w.p, term_ite(w.s, w.p, w.x, w.y), w.z), term_ite(w.s, w.p, w.x, w.z));
  assert_int_equal(term_ite(w.s, w.p, w.x, term_ite(w.s, w.q, w.x, w.y)),
                   term_ite(w.s, term_or(w.s, w.p, w.q), w.x, w.y));
  assert_int_equal(term_ite(w.s, w.p, w.q, term_false(w.s)), term_and(w.s, w.p, w.q));
  assert_int_equal(term_ite(w.s, w.p, term_true(w.s), w.q), term_or(w.s, w.p, w.q));
  assert_int_equal(term_ite(w.s, term_eq(w.s, w.x, w.y), w.x, w.y), w.y);
  assert_int_equal(term_ite(w.s, w.p, term_add(w.s, w.x, w.y), term_add(w.s, w.x, w.z)),
                   term_add(w.s, w.x, term_ite(w.s, w.p, w.y, w.z)));
  close_world(&w);
}

static void comparison_rules(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  Term c = term_zero_extend(w.s, w.c, 32), sc = term_sign_extend(w.s, w.c, 32);
  assert_int_equal(term_eq(w.s, term_add_constant(w.s, w.x, 3), k(&w, 5)), term_eq(w.s, w.x, k(&w, 2)));
  assert_int_equal(term_eq(w.s, c, k(&w, 300)), term_false(w.s));
  assert_int_equal(term_eq(w.s, c, k(&w, 200)), term_eq(w.s, w.c, k8(&w, 200)));
  assert_int_equal(term_eq(w.s, sc, k(&w, 200)), term_false(w.s));
  assert_int_equal(term_eq(w.s, sc, k(&w, -(Bits)1)), term_eq(w.s, w.c, k8(&w, 255)));
  assert_int_equal(op(&w, TERM_ULT, w.x, k(&w, 0)), term_false(w.s));
  assert_int_equal(op(&w, TERM_ULT, w.x, k(&w, 1)), term_eq(w.s, w.x, k(&w, 0)));
  assert_int_equal(op(&w, TERM_ULT, k(&w, 0), w.x), term_ne(w.s, w.x, k(&w, 0)));
  assert_int_equal(op(&w, TERM_ULE, w.x, k(&w, UINT32_MAX)), term_true(w.s));
  assert_int_equal(op(&w, TERM_SLE, k(&w, 0x80000000), w.x), term_true(w.s));
  assert_int_equal(op(&w, TERM_SLT, c, k(&w, 256)), term_true(w.s));
  assert_int_equal(op(&w, TERM_SLT, c, k(&w, 10)), op(&w, TERM_ULT, w.c, k8(&w, 10)));
  assert_int_equal(op(&w, TERM_SLT, sc, k(&w, 10)), op(&w, TERM_SLT, w.c, k8(&w, 10)));
  Term pair = op(&w, TERM_CONCAT, w.c, k8(&w, 3));
  assert_int_equal(term_eq(w.s, pair, term_constant(w.s, 16, 0x0503)), term_eq(w.s, w.c, k8(&w, 5)));
  assert_int_equal(term_eq(w.s, pair, term_constant(w.s, 16, 0x0504)), term_false(w.s));
  assert_int_equal(term_eq(w.s, op(&w, TERM_MUL, w.x, k(&w, 3)), k(&w, 15)), term_eq(w.s, w.x, k(&w, 5)));
  close_world(&w);
}

static void array_rules(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  Term once = term_store_element(w.s, w.a, k(&w, 1), w.c), twice = term_store_element(w.s, once, k(&w, 2), w.d);
  assert_int_equal(term_select(w.s, twice, k(&w, 1)), w.c);
  assert_int_equal(term_select(w.s, twice, k(&w, 2)), w.d);
  assert_int_equal(term_select(w.s, twice, k(&w, 3)), term_select(w.s, w.a, k(&w, 3)));
  assert_int_equal(term_operator(w.s, term_child(w.s, term_select(w.s, twice, w.x), 0)), TERM_STORE);
  Term swapped = term_store_element(w.s, term_store_element(w.s, w.a, k(&w, 2), w.d), k(&w, 1), w.c);
  assert_int_equal(swapped, twice);
  assert_int_equal(term_store_element(w.s, twice, k(&w, 1), w.d),
                   term_store_element(w.s, term_store_element(w.s, w.a, k(&w, 1), w.d), k(&w, 2), w.d));
  assert_int_equal(term_store_element(w.s, w.a, w.x, term_select(w.s, w.a, w.x)), w.a);
  Term next = term_store_element(w.s, w.a, term_add_constant(w.s, w.x, 1), w.c);
  assert_int_equal(term_select(w.s, next, w.x), term_select(w.s, w.a, w.x));
  assert_int_equal(term_select(w.s, next, term_add_constant(w.s, w.x, 2)),
                   term_select(w.s, w.a, term_add_constant(w.s, w.x, 2)));
  assert_int_equal(term_select(w.s, term_constant_array(w.s, sort_array(32, 8), w.c), w.x), w.c);
  close_world(&w);
}

// --- meaning at the edges ---

static Bits apply(TermOperator o, unsigned width, Bits a, Bits b) {
  return term_apply(o, width, (unsigned[]){width, width}, 0, 0, (Bits[]){a, b});
}

static void division_edges(void **state) {
  (void)state;
  assert_int_equal(apply(TERM_UDIV, 8, 7, 0), 255);
  assert_int_equal(apply(TERM_UREM, 8, 7, 0), 7);
  assert_int_equal(apply(TERM_SDIV, 8, 7, 0), 255);
  assert_int_equal(apply(TERM_SDIV, 8, 0xf9, 0), 1);
  assert_int_equal(apply(TERM_SREM, 8, 0xf9, 0), 0xf9);
  assert_int_equal(apply(TERM_SMOD, 8, 0xf9, 0), 0xf9);
  assert_int_equal(apply(TERM_SDIV, 8, 0x80, 0xff), 0x80);
  assert_int_equal(apply(TERM_SDIV, 8, 0xf9, 2), 0xfd); // -7 / 2 is -3
  assert_int_equal(apply(TERM_SREM, 8, 0xf9, 2), 0xff); // and -1 is left
  assert_int_equal(apply(TERM_SMOD, 8, 0xf9, 2), 1);    // modulo takes the divisor's sign
  assert_int_equal(apply(TERM_SMOD, 8, 7, 0xfe), 0xff);
  assert_int_equal(apply(TERM_ASHR, 8, 0x80, 200), 0xff);
  assert_int_equal(apply(TERM_LSHR, 8, 0x80, 8), 0);
  assert_int_equal(apply(TERM_SHL, 8, 1, 255), 0);
  assert_int_equal(apply(TERM_ROTL, 8, 0x81, 9), 0x03);
  assert_int_equal(apply(TERM_ROTR, 8, 0x81, 1), 0xc0);
  Bits least = (Bits)1 << 127, ones = ~(Bits)0;
  assert_true(apply(TERM_SDIV, 128, least, ones) == least);
  assert_int_equal(apply(TERM_SMULO, 128, least, ones), 1);
  assert_int_equal(apply(TERM_SMULO, 128, least, 1), 0);
  assert_int_equal(apply(TERM_UMULO, 128, (Bits)1 << 64, (Bits)1 << 64), 1);
  assert_int_equal(apply(TERM_UMULO, 128, (Bits)1 << 64, ((Bits)1 << 64) - 1), 0);
  assert_int_equal(apply(TERM_SDIVO, 32, 0x80000000, 0xffffffff), 1);
}

static Bits convert(TermOperator o, unsigned from, unsigned to, Bits value) {
  return term_apply(o, to, &from, 0, 0, &value);
}

static void floating_point_edges(void **state) {
  (void)state;
  const Bits one = 0x3f800000, infinity = 0x7f800000, nan = 0x7fc00000, odd_nan = 0xff800001;
  assert_int_equal(apply(TERM_FP_ADD, 32, one, one), 0x40000000);
  assert_int_equal(apply(TERM_FP_SUB, 32, infinity, infinity), nan);
  assert_int_equal(apply(TERM_FP_ADD, 32, odd_nan, one), nan);
  assert_int_equal(apply(TERM_FP_DIV, 32, one, 0x80000000), 0xff800000);
  assert_int_equal(apply(TERM_FP_EQ, 32, 0, 0x80000000), 1);
  assert_int_equal(apply(TERM_FP_EQ, 32, nan, nan), 0);
  assert_int_equal(apply(TERM_FP_LE, 32, nan, one), 0);
  assert_int_equal(convert(TERM_FP_TO_SINT, 32, 8, nan), 0);
  assert_int_equal(convert(TERM_FP_TO_SINT, 32, 8, 0x43000000), 0);    // 128 does not fit
  assert_int_equal(convert(TERM_FP_TO_SINT, 32, 8, 0xc300c000), 0x80); // -128.75 does: -128
  assert_int_equal(convert(TERM_FP_TO_UINT, 32, 8, 0xbf400000), 0);    // -0.75
  assert_int_equal(convert(TERM_FP_TO_UINT, 32, 8, 0x437fc000), 255);  // 255.75
  assert_true(convert(TERM_FP_TO_UINT, 32, 128, 0x7f7fffff) == (Bits)0xffffff << 104);
  assert_int_equal(convert(TERM_FP_FROM_SINT, 8, 32, 0xff), 0xbf800000);
  assert_int_equal(convert(TERM_FP_FROM_UINT, 32, 32, 0x01000001), 0x4b800000); // ties to even
  assert_int_equal(convert(TERM_FP_TO_FP, 64, 32, (Bits)0x7ff0000000000001), nan);
  assert_true(convert(TERM_FP_TO_FP, 32, 64, one) == (Bits)0x3ff0000000000000);
}

// --- traversal ---

typedef struct Visits {
  Term seen[8];
  unsigned count;
} Visits;

static void note_variable(void *context, Term variable) {
  Visits *visits = context;
  assert_true(visits->count < 8);
  visits->seen[visits->count++] = variable;
}

static void traversal(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  Term first = op(&w, TERM_MUL, w.y, w.x), second = op(&w, TERM_MUL, w.x, w.z), sum = term_add(w.s, second, first);
  Visits visits = {0};
  term_each_variable(w.s, sum, note_variable, &visits);
  assert_int_equal(visits.count, 3);
  assert_int_equal(visits.seen[0], w.x);
  assert_int_equal(visits.seen[1], w.y);
  assert_int_equal(visits.seen[2], w.z);
  assert_true(term_mentions(w.s, sum, w.z));
  assert_false(term_mentions(w.s, sum, w.u));
  assert_int_equal(term_dag_size(w.s, sum), 6);
  assert_int_equal(term_dag_size(w.s, w.x), 1);
  close_world(&w);
}

static void substitution(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  Map map, cache;
  map_init(&map, &w.account);
  map_init(&cache, &w.account);
  Term sum = term_add(w.s, op(&w, TERM_MUL, w.x, w.y), w.z);
  map_put(&map, w.x, w.y); // at once: x and y change places
  map_put(&map, w.y, w.x);
  assert_int_equal(term_substitute(w.s, term_sub(w.s, w.x, w.y), &map, NULL), term_sub(w.s, w.y, w.x));
  assert_int_equal(term_substitute(w.s, sum, &map, &cache), sum);
  assert_true(cache.count > 0);
  assert_int_equal(term_substitute(w.s, w.x, &map, &cache), w.y);
  map_clear(&map);
  map_put(&map, op(&w, TERM_MUL, w.x, w.y), k(&w, 4)); // any subterm can be replaced
  map_put(&map, w.z, k(&w, 5));
  assert_int_equal(term_substitute(w.s, sum, &map, NULL), k(&w, 9));
  assert_int_equal(term_substitute(w.s, term_extract(w.s, sum, 11, 4), &map, NULL), k8(&w, 0));
  map_free(&map);
  map_free(&cache);
  close_world(&w);
}

static Bits always_three(void *context, Term variable) {
  (void)context, (void)variable;
  return 3;
}

// Deep terms must not need stack in proportion to their depth.
static void deep_terms(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  enum { DEPTH = 150000 };
  Term t = w.x, chain = w.y, array = w.a;
  for (unsigned i = 0; i < DEPTH; i++) {
    t = op(&w, i % 2 ? TERM_XOR : TERM_MUL, t, i % 3 ? w.y : w.z);
    chain = term_ite(w.s, term_eq(w.s, w.x, k(&w, 1000 + i)), k(&w, i), chain);
    array = term_store_element(w.s, array, op(&w, TERM_MUL, w.x, k(&w, i + 2)), w.c);
  }
  TermValuation valuation = {.value_of = always_three};
  Bits value = 3;
  for (unsigned i = 0; i < DEPTH; i++) value = i % 2 ? value ^ 3 : value * 3 & UINT32_MAX;
  assert_true(term_evaluate(w.s, t, &valuation) == value);
  assert_int_equal(term_evaluate(w.s, chain, &valuation), 3);
  assert_int_equal(term_evaluate(w.s, term_eq(w.s, chain, k(&w, 5)), &valuation), 0);
  assert_int_equal(term_evaluate(w.s, term_select(w.s, array, w.y), &valuation), 0);
  assert_int_equal(term_evaluate(w.s, term_select(w.s, array, op(&w, TERM_MUL, w.y, k(&w, 7))), &valuation), 3);
  assert_true(term_mentions(w.s, chain, w.y));
  assert_true(term_dag_size(w.s, t) > DEPTH);
  Map map;
  map_init(&map, &w.account);
  map_put(&map, w.x, k(&w, 3));
  map_put(&map, w.y, k(&w, 3));
  map_put(&map, w.z, k(&w, 3));
  assert_int_equal(term_substitute(w.s, t, &map, NULL), term_constant(w.s, 32, value));
  map_free(&map);
  term_print_smtlib(w.s, t, false, &w.text);
  assert_true(w.text.length > DEPTH);
  text_clear(&w.text);
  term_print_c(w.s, chain, &w.text);
  assert_non_null(strstr(w.text.data, "..."));
  close_world(&w);
}

// Rules that go into two operands must not take exponential time where operands are shared: here the number of paths
// doubles with each level.
static void shared_terms(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  clock_t start = clock();
  Term first[2] = {w.x, w.y}, second[2] = {w.y, w.z};
  for (unsigned i = 0; i < 60; i++) {
    Term conditions[2] = {op(&w, TERM_SLT, w.f, term_constant(w.s, 64, i * 3 + 10)),
                          op(&w, TERM_SLT, w.g, term_constant(w.s, 64, i * 3 + 10))};
    Term left[2], right[2];
    for (unsigned side = 0; side < 2; side++) {
      left[side] = term_ite(w.s, conditions[side], first[0], first[1]);
      right[side] = term_ite(w.s, conditions[side], second[0], second[1]);
    }
    memcpy(first, left, sizeof first);
    memcpy(second, right, sizeof second);
    assert_false(term_is_constant(w.s, term_eq(w.s, first[0], second[0])));
  }
  assert_true(clock() - start < 20 * CLOCKS_PER_SEC); // of this process
  close_world(&w);
}

// A value that is itself computed by an evaluation, in the middle of one.
static Bits nested_value(void *context, Term variable) {
  World *w = context;
  TermValuation valuation = {.value_of = always_three};
  if (variable != w->x) return 1;
  return term_evaluate(w->s, op(w, TERM_MUL, w->y, w->z), &valuation);
}

static void nested_evaluation(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  TermValuation valuation = {.value_of = nested_value, .context = &w};
  assert_int_equal(term_evaluate(w.s, term_add(w.s, w.y, w.x), &valuation), 10);
  close_world(&w);
}

static Bits element_is_index(void *context, Term array, Bits index) {
  (void)context, (void)array;
  return index & 0xff;
}

static void array_equality(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  TermValuation zero = {.value_of = always_three},
                counting = {.value_of = always_three, .element_of = element_is_index};
  Term a = term_store_element(w.s, w.a, w.x, w.c), b = term_store_element(w.s, w.b, w.y, w.d);
  assert_int_equal(term_evaluate(w.s, term_eq(w.s, a, b), &zero), 1);
  assert_int_equal(term_evaluate(w.s, term_eq(w.s, a, w.b), &zero), 0);
  assert_int_equal(term_evaluate(w.s, term_eq(w.s, a, w.b), &counting), 1); // the element at 3 is 3 anyway
  assert_int_equal(term_evaluate(w.s, term_eq(w.s, term_store_element(w.s, w.a, k(&w, 4), w.c), w.b), &counting), 0);
  Sort sort = sort_array(32, 8);
  Term all_five = term_constant_array(w.s, sort, k8(&w, 5)), all_c = term_constant_array(w.s, sort, w.c);
  assert_int_equal(term_evaluate(w.s, term_eq(w.s, all_five, all_c), &zero), 0);
  Term chosen = term_ite(w.s, term_eq(w.s, w.x, w.y), all_c, all_five);
  assert_int_equal(term_evaluate(w.s, term_eq(w.s, chosen, all_c), &zero), 1);
  assert_int_equal(term_evaluate(w.s, term_eq(w.s, chosen, all_five), &zero), 0);
  close_world(&w);
}

// --- printing ---

static void expect_c(World *w, Term t, const char *expected) {
  text_clear(&w->text);
  term_print_c(w->s, t, &w->text);
  assert_string_equal(w->text.data, expected);
}

static void printing_c(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  expect_c(&w, op(&w, TERM_SLE, term_add_constant(w.s, w.x, 1), w.y), "x + 1 <= y");
  expect_c(&w, op(&w, TERM_ULT, w.x, w.y), "(unsigned)x < y");
  expect_c(&w, op(&w, TERM_ULT, k(&w, 5), w.x), "(unsigned)x > 5");
  expect_c(&w, op(&w, TERM_SLT, w.x, k(&w, 0x80000010)), "x < -2147483632");
  expect_c(&w, term_add_constant(w.s, w.x, -(Bits)1), "x - 1");
  expect_c(&w, k(&w, -(Bits)1), "-1");
  expect_c(&w, term_constant(w.s, 64, (Bits)1 << 40), "0x10000000000");
  expect_c(&w, op(&w, TERM_MUL, term_add(w.s, w.x, w.y), w.z), "z * (x + y)");
  expect_c(&w, term_add(w.s, w.x, op(&w, TERM_MUL, w.y, w.z)), "x + y * z");
  expect_c(&w, op(&w, TERM_SUB, w.x, op(&w, TERM_SUB, w.y, w.z)), "x - (y - z)");
  expect_c(&w, op(&w, TERM_SUB, op(&w, TERM_SUB, w.x, w.y), w.z), "x - y - z");
  expect_c(&w, term_ne(w.s, op(&w, TERM_AND, w.x, k(&w, 6)), k(&w, 4)), "(x & 6) != 4");
  expect_c(&w, term_or(w.s, term_and(w.s, w.p, term_not(w.s, w.q)), w.r), "r || p && !q");
  expect_c(&w, term_and(w.s, term_or(w.s, w.p, w.q), w.r), "r && (p || q)");
  expect_c(&w, term_not(w.s, term_and(w.s, w.p, w.q)), "!(p && q)");
  expect_c(&w, term_ite(w.s, w.p, w.x, w.y), "p ? x : y");
  expect_c(&w, op(&w, TERM_MUL, term_ite(w.s, w.p, w.x, w.y), w.z), "z * (p ? x : y)");
  expect_c(&w, term_zero_extend(w.s, w.c, 32), "(unsigned char)c");
  expect_c(&w, term_sign_extend(w.s, w.c, 32), "(int)c");
  expect_c(&w, term_extract(w.s, w.x, 7, 0), "(signed char)x");
  expect_c(&w, term_zero_extend(w.s, term_extract(w.s, w.x, 7, 0), 32), "(unsigned char)x");
  expect_c(&w, term_extract(w.s, w.x, 15, 8), "(signed char)(x >> 8)");
  expect_c(&w, term_extract(w.s, w.x, 3, 3), "(x >> 3 & 1)");
  expect_c(&w, term_zero_extend(w.s, op(&w, TERM_SLT, w.x, w.y), 32), "x < y");
  expect_c(&w, term_add(w.s, term_zero_extend(w.s, op(&w, TERM_SLT, w.x, w.y), 32), w.z), "z + (x < y)");
  expect_c(&w, op(&w, TERM_UDIV, w.x, w.y), "(unsigned)x / y");
  expect_c(&w, op(&w, TERM_LSHR, w.x, k(&w, 4)), "(unsigned)x >> 4");
  expect_c(&w, term_select(w.s, w.a, term_add_constant(w.s, w.x, 1)), "a[x + 1]");
  expect_c(&w, op(&w, TERM_SADDO, w.x, w.y), "overflow(x + y)");
  expect_c(&w, term_unary(w.s, TERM_NEG, w.x), "-x");
  expect_c(&w, term_unary(w.s, TERM_NOT, w.x), "~x");
  Term half = term_constant(w.s, 64, (Bits)0x3fe0000000000000);
  expect_c(&w, op(&w, TERM_FP_LT, op(&w, TERM_FP_ADD, w.f, half), w.g), "f + 0.5 < g");
  expect_c(&w, term_convert(w.s, TERM_FP_FROM_SINT, w.x, 64), "(double)x");
  close_world(&w);
}

static void expect_smtlib(World *w, Term t, bool as_bool, const char *expected) {
  text_clear(&w->text);
  term_print_smtlib(w->s, t, as_bool, &w->text);
  assert_string_equal(w->text.data, expected);
}

static void printing_smtlib(void **state) {
  (void)state;
  World w = open_world();
  fill(&w);
  expect_smtlib(&w, term_add(w.s, w.x, w.y), false, "(bvadd |x!0| |y!1|)");
  expect_smtlib(&w, op(&w, TERM_ULT, w.x, k(&w, 9)), true, "(bvult |x!0| #x00000009)");
  expect_smtlib(&w, op(&w, TERM_ULT, w.x, k(&w, 9)), false, "(ite (bvult |x!0| #x00000009) #b1 #b0)");
  expect_smtlib(&w, term_and(w.s, w.p, op(&w, TERM_SLT, w.x, w.y)), true, "(and (= |p!5| #b1) (bvslt |x!0| |y!1|))");
  expect_smtlib(&w, term_true(w.s), true, "true");
  expect_smtlib(&w, w.p, false, "|p!5|");
  expect_smtlib(&w, term_extract(w.s, w.x, 9, 3), false, "((_ extract 9 3) |x!0|)");
  expect_smtlib(&w, term_zero_extend(w.s, w.c, 32), false, "((_ zero_extend 24) |c!3|)");
  Term sum = term_add(w.s, w.x, w.y);
  expect_smtlib(&w, op(&w, TERM_UDIV, sum, op(&w, TERM_MUL, sum, w.z)), false,
                "(let ((?1 (bvadd |x!0| |y!1|))) (bvudiv ?1 (bvmul |z!2| ?1)))");
  text_clear(&w.text);
  Map declared;
  map_init(&declared, &w.account);
  term_print_declarations(w.s, term_select(w.s, w.a, sum), &declared, &w.text);
  assert_string_equal(w.text.data, "(declare-const |a!10| (Array (_ BitVec 32) (_ BitVec 8)))\n"
                                   "(declare-const |x!0| (_ BitVec 32))\n"
                                   "(declare-const |y!1| (_ BitVec 32))\n");
  text_clear(&w.text);
  term_print_declarations(w.s, term_add(w.s, sum, w.z), &declared, &w.text);
  assert_string_equal(w.text.data, "(declare-const |z!2| (_ BitVec 32))\n");
  text_clear(&w.text);
  term_print_symbol(w.s, term_variable(w.s, 8, "odd|na\\me"), &w.text);
  assert_string_equal(w.text.data, "|odd_na_me!14|");
  map_free(&declared);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_terms_are_one),  cmocka_unit_test(many_terms),    cmocka_unit_test(arithmetic_rules),
      cmocka_unit_test(width_rules),          cmocka_unit_test(boolean_rules), cmocka_unit_test(choice_rules),
      cmocka_unit_test(comparison_rules),     cmocka_unit_test(array_rules),   cmocka_unit_test(division_edges),
      cmocka_unit_test(floating_point_edges), cmocka_unit_test(traversal),     cmocka_unit_test(substitution),
      cmocka_unit_test(deep_terms),           cmocka_unit_test(shared_terms),  cmocka_unit_test(nested_evaluation),
      cmocka_unit_test(array_equality),       cmocka_unit_test(printing_c),    cmocka_unit_test(printing_smtlib),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
