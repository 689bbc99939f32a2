#include "solver/bitblast.h"

#include "solver/words.h"

#include <stdlib.h>

// A key of the cache is a bit-vector term, or the read of an array term at an index term.
static uint64_t key_of_read(Term array, Term index) { return (uint64_t)array << 32 | index; }
static Term key_array(uint64_t key) { return (Term)(key >> 32); }
static Term key_term(uint64_t key) { return (Term)key; } // the index, for a read

static bool equates_arrays(const TermStore *store, Term t) {
  return term_operator(store, t) == TERM_EQ && sort_is_array(term_sort(store, term_child(store, t, 0)));
}

void bitblast_init(Bitblaster *blaster, const TermStore *store, Aig *aig, Account *account) {
  *blaster = (Bitblaster){.store = store, .aig = aig, .account = account};
  map_init(&blaster->cache, account);
  map_init(&blaster->last_read, account);
  cone_init(&blaster->supported, store, term_has_array, equates_arrays, account);
  U32Vector_init(&blaster->literals, account);
  TermVector_init(&blaster->variables, account);
  BitblastReadVector_init(&blaster->reads, account);
  U32Vector_init(&blaster->constraints, account);
  U64Vector_init(&blaster->stack, account);
}

void bitblast_free(Bitblaster *blaster) {
  map_free(&blaster->cache);
  map_free(&blaster->last_read);
  cone_free(&blaster->supported);
  U32Vector_free(&blaster->literals);
  TermVector_free(&blaster->variables);
  BitblastReadVector_free(&blaster->reads);
  U32Vector_free(&blaster->constraints);
  U64Vector_free(&blaster->stack);
}

bool bitblast_supports(Bitblaster *blaster, Term t) {
  if (sort_is_array(term_sort(blaster->store, t)) || term_has_floating_point(blaster->store, t)) return false;
  return cone_is_clean(&blaster->supported, t);
}

// --- what a key depends on ---

static bool is_built(const Bitblaster *blaster, uint64_t key) { return map_contains(&blaster->cache, key); }

// Pushes the key unless it is built; says whether it is.
static bool want(Bitblaster *blaster, uint64_t key) {
  if (is_built(blaster, key)) return true;
  U64Vector_push(&blaster->stack, key);
  return false;
}

static bool want_for_read(Bitblaster *blaster, uint64_t key) {
  const TermStore *store = blaster->store;
  Term array = key_array(key), index = key_term(key);
  switch (term_operator(store, array)) {
  case TERM_VARIABLE: return want(blaster, index);
  case TERM_CONST_ARRAY: return want(blaster, term_child(store, array, 0));
  case TERM_STORE: {
    bool ready = want(blaster, index);
    ready &= want(blaster, term_child(store, array, 1));
    ready &= want(blaster, term_child(store, array, 2));
    return ready & want(blaster, key_of_read(term_child(store, array, 0), index));
  }
  default: {
    assert(term_operator(store, array) == TERM_ITE);
    bool ready = want(blaster, term_child(store, array, 0));
    ready &= want(blaster, key_of_read(term_child(store, array, 1), index));
    return ready & want(blaster, key_of_read(term_child(store, array, 2), index));
  }
  }
}

static bool want_for_term(Bitblaster *blaster, Term t) {
  const TermStore *store = blaster->store;
  if (term_operator(store, t) == TERM_SELECT) {
    return want(blaster, key_of_read(term_child(store, t, 0), term_child(store, t, 1)));
  }
  bool ready = true;
  for (unsigned i = 0; i < term_arity(store, t); i++) ready &= want(blaster, term_child(store, t, i));
  return ready;
}

// --- building ---

// Valid until `literals` grows.
static const AigLiteral *word_at(const Bitblaster *blaster, uint64_t key) {
  uint64_t start = 0;
  bool built = map_get(&blaster->cache, key, &start);
  assert(built);
  (void)built;
  return blaster->literals.data + start;
}

static uint32_t append_word(Bitblaster *blaster, unsigned n, const AigLiteral *word) {
  assert(blaster->literals.count + n <= UINT32_MAX);
  uint32_t start = (uint32_t)blaster->literals.count;
  U32Vector_reserve(&blaster->literals, start + n);
  memcpy(blaster->literals.data + start, word, n * sizeof(AigLiteral));
  blaster->literals.count += n;
  return start;
}

static void finish(Bitblaster *blaster, uint64_t key, unsigned n, const AigLiteral *word) {
  map_put(&blaster->cache, key, append_word(blaster, n, word));
}

static void build_variable(Bitblaster *blaster, Term t, unsigned n, AigLiteral *out) {
  for (unsigned i = 0; i < n; i++) out[i] = aig_input(blaster->aig);
  TermVector_push(&blaster->variables, t);
}

// Equal indices have equal elements.
static void constrain_reads(Bitblaster *blaster, const BitblastRead *read, const BitblastRead *earlier) {
  const TermStore *store = blaster->store;
  Sort sort = term_sort(store, read->array);
  const AigLiteral *words = blaster->literals.data;
  AigLiteral same_index =
      word_equal(blaster->aig, sort_index_width(sort), words + read->index_at, words + earlier->index_at);
  if (same_index == AIG_FALSE) return;
  AigLiteral same_element =
      word_equal(blaster->aig, sort_element_width(sort), words + read->element_at, words + earlier->element_at);
  AigLiteral constraint = aig_or(blaster->aig, aig_not(same_index), same_element);
  if (constraint != AIG_TRUE) U32Vector_push(&blaster->constraints, constraint);
}

static void build_variable_read(Bitblaster *blaster, uint64_t key) {
  Term array = key_array(key), index = key_term(key);
  Sort sort = term_sort(blaster->store, array);
  uint64_t index_at = 0;
  bool built = map_get(&blaster->cache, index, &index_at);
  assert(built && term_width(blaster->store, index) == sort_index_width(sort));
  (void)built;
  AigLiteral element[WORD_BITS];
  for (unsigned i = 0; i < sort_element_width(sort); i++) element[i] = aig_input(blaster->aig);
  BitblastRead read = {.array = array,
                       .index = index,
                       .index_at = (uint32_t)index_at,
                       .element_at = append_word(blaster, sort_element_width(sort), element),
                       .previous = (uint32_t)map_get_or(&blaster->last_read, array, 0)};
  map_put(&blaster->cache, key, read.element_at);
  for (uint32_t at = read.previous; at != 0; at = blaster->reads.data[at - 1].previous) {
    constrain_reads(blaster, &read, &blaster->reads.data[at - 1]);
  }
  BitblastReadVector_push(&blaster->reads, read);
  map_put(&blaster->last_read, array, blaster->reads.count);
}

static void build_read(Bitblaster *blaster, uint64_t key) {
  const TermStore *store = blaster->store;
  Aig *aig = blaster->aig;
  Term array = key_array(key), index = key_term(key);
  unsigned n = sort_element_width(term_sort(store, array));
  AigLiteral out[WORD_BITS];
  switch (term_operator(store, array)) {
  case TERM_VARIABLE: build_variable_read(blaster, key); return;
  case TERM_CONST_ARRAY: memcpy(out, word_at(blaster, term_child(store, array, 0)), n * sizeof(AigLiteral)); break;
  case TERM_STORE: {
    AigLiteral hit = word_equal(aig, term_width(store, index), word_at(blaster, index),
                                word_at(blaster, term_child(store, array, 1)));
    word_ite(aig, n, hit, word_at(blaster, term_child(store, array, 2)),
             word_at(blaster, key_of_read(term_child(store, array, 0), index)), out);
    break;
  }
  default:
    assert(term_operator(store, array) == TERM_ITE);
    word_ite(aig, n, *word_at(blaster, term_child(store, array, 0)),
             word_at(blaster, key_of_read(term_child(store, array, 1), index)),
             word_at(blaster, key_of_read(term_child(store, array, 2), index)), out);
  }
  finish(blaster, key, n, out);
}

// Predicates: `n` is the width of the operands.
static AigLiteral build_predicate(Aig *aig, TermOperator op, unsigned n, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral ignored[WORD_BITS];
  WordBits smallest = (WordBits)1 << (n - 1);
  switch (op) {
  case TERM_EQ: return word_equal(aig, n, a, b);
  case TERM_ULT: return word_less_unsigned(aig, n, a, b);
  case TERM_ULE: return aig_not(word_less_unsigned(aig, n, b, a));
  case TERM_SLT: return word_less_signed(aig, n, a, b);
  case TERM_SLE: return aig_not(word_less_signed(aig, n, b, a));
  case TERM_NEGO: return word_is_constant(aig, n, a, smallest);
  case TERM_UADDO: return word_add(aig, n, a, b, AIG_FALSE, ignored);
  case TERM_SADDO: return word_add_overflows_signed(aig, n, a, b);
  case TERM_UMULO: return word_multiply_overflows_unsigned(aig, n, a, b);
  case TERM_SMULO: return word_multiply_overflows_signed(aig, n, a, b);
  case TERM_USUBO: return word_less_unsigned(aig, n, a, b);
  case TERM_SSUBO: return word_subtract_overflows_signed(aig, n, a, b);
  default:
    assert(op == TERM_SDIVO);
    return aig_and(aig, word_is_constant(aig, n, a, smallest), word_is_constant(aig, n, b, ~(WordBits)0));
  }
}

// Operators whose operands have the result's width. False: none of them.
static bool build_arithmetic(Aig *aig, TermOperator op, unsigned n, const AigLiteral *a, const AigLiteral *b,
                             AigLiteral *out) {
  switch (op) {
  case TERM_NOT: word_not(n, a, out); return true;
  case TERM_AND: word_and(aig, n, a, b, out); return true;
  case TERM_OR: word_or(aig, n, a, b, out); return true;
  case TERM_XOR: word_xor(aig, n, a, b, out); return true;
  case TERM_NEG: word_negate(aig, n, a, out); return true;
  case TERM_ADD: word_add(aig, n, a, b, AIG_FALSE, out); return true;
  case TERM_SUB: word_subtract(aig, n, a, b, out); return true;
  case TERM_MUL: word_multiply(aig, n, a, b, out); return true;
  case TERM_UDIV: word_divide_unsigned(aig, n, a, b, out, NULL); return true;
  case TERM_UREM: word_divide_unsigned(aig, n, a, b, NULL, out); return true;
  case TERM_SDIV: word_divide_signed(aig, n, a, b, out); return true;
  case TERM_SREM: word_remainder_signed(aig, n, a, b, out); return true;
  case TERM_SMOD: word_modulo_signed(aig, n, a, b, out); return true;
  case TERM_SHL: word_shift_left(aig, n, a, b, out); return true;
  case TERM_LSHR: word_shift_right(aig, n, a, b, AIG_FALSE, out); return true;
  case TERM_ASHR: word_shift_right(aig, n, a, b, a[n - 1], out); return true;
  case TERM_ROTL: word_rotate_left(aig, n, a, b, out); return true;
  case TERM_ROTR: word_rotate_right(aig, n, a, b, out); return true;
  default: return false;
  }
}

static void build_term(Bitblaster *blaster, Term t) {
  const TermStore *store = blaster->store;
  TermOperator op = term_operator(store, t);
  unsigned n = term_width(store, t), arity = term_arity(store, t);
  const AigLiteral *child[3] = {NULL, NULL, NULL};
  unsigned widths[3] = {0, 0, 0};
  AigLiteral out[WORD_BITS];
  for (unsigned i = 0; i < arity && op != TERM_SELECT; i++) {
    child[i] = word_at(blaster, term_child(store, t, i));
    widths[i] = term_width(store, term_child(store, t, i));
  }
  switch (op) {
  case TERM_CONSTANT: word_constant(n, term_constant_value(store, t), out); break;
  case TERM_VARIABLE: build_variable(blaster, t, n, out); break;
  case TERM_CONCAT:
    memcpy(out, child[1], widths[1] * sizeof(AigLiteral));
    memcpy(out + widths[1], child[0], widths[0] * sizeof(AigLiteral));
    break;
  case TERM_EXTRACT: memcpy(out, child[0] + term_parameter(store, t, 1), n * sizeof(AigLiteral)); break;
  case TERM_ZEXT:
  case TERM_SEXT:
    for (unsigned i = 0; i < n; i++) {
      out[i] = i < widths[0] ? child[0][i] : op == TERM_ZEXT ? AIG_FALSE : child[0][widths[0] - 1];
    }
    break;
  case TERM_ITE: word_ite(blaster->aig, n, *child[0], child[1], child[2], out); break;
  case TERM_SELECT: // the read was built under its own key
    child[0] = word_at(blaster, key_of_read(term_child(store, t, 0), term_child(store, t, 1)));
    memcpy(out, child[0], n * sizeof(AigLiteral));
    break;
  default:
    if (!build_arithmetic(blaster->aig, op, n, child[0], child[1], out)) {
      out[0] = build_predicate(blaster->aig, op, widths[0], child[0], child[1]);
    }
  }
  finish(blaster, t, n, out);
}

const AigLiteral *bitblast_term(Bitblaster *blaster, Term t) {
  assert(bitblast_supports(blaster, t));
  size_t bottom = blaster->stack.count;
  if (!is_built(blaster, t)) U64Vector_push(&blaster->stack, t);
  while (blaster->stack.count > bottom) {
    uint64_t key = *U64Vector_last(&blaster->stack);
    bool is_read = key_array(key) != TERM_NONE;
    if (!is_built(blaster, key)) {
      if (!(is_read ? want_for_read(blaster, key) : want_for_term(blaster, key_term(key)))) continue;
      if (is_read)
        build_read(blaster, key);
      else
        build_term(blaster, key_term(key));
    }
    U64Vector_pop(&blaster->stack);
  }
  return word_at(blaster, t);
}

AigLiteral bitblast_bool(Bitblaster *blaster, Term t) {
  assert(term_width(blaster->store, t) == 1);
  return *bitblast_term(blaster, t);
}

const AigLiteral *bitblast_find(const Bitblaster *blaster, Term t) {
  return is_built(blaster, t) ? word_at(blaster, t) : NULL;
}

// --- array elements in models ---

static Bits word_value(const Bitblaster *blaster, const uint64_t *nodes, uint32_t at, unsigned width) {
  Bits value = 0;
  for (unsigned i = 0; i < width; i++) {
    value |= (Bits)(aig_simulated(nodes, blaster->literals.data[at + i]) & 1) << i;
  }
  return value;
}

static int compare_elements(const void *left, const void *right) {
  const BitblastElement *a = left, *b = right;
  if (a->array != b->array) return a->array < b->array ? -1 : 1;
  if (a->index != b->index) return a->index < b->index ? -1 : 1;
  return 0;
}

void bitblast_elements(const Bitblaster *blaster, const uint8_t *inputs, BitblastElementVector *elements) {
  BitblastElementVector_clear(elements);
  if (BitblastReadVector_empty(&blaster->reads)) return;
  U64Vector input_words, nodes;
  U64Vector_init(&input_words, blaster->account);
  U64Vector_init(&nodes, blaster->account);
  U64Vector_resize(&input_words, blaster->aig->inputs.count);
  U64Vector_resize(&nodes, aig_node_count(blaster->aig));
  for (size_t i = 0; i < input_words.count; i++) input_words.data[i] = inputs[i];
  aig_simulate(blaster->aig, input_words.data, nodes.data);
  for (size_t i = 0; i < blaster->reads.count; i++) {
    const BitblastRead *read = &blaster->reads.data[i];
    Sort sort = term_sort(blaster->store, read->array);
    BitblastElement element = {.array = read->array,
                               .index = word_value(blaster, nodes.data, read->index_at, sort_index_width(sort)),
                               .element = word_value(blaster, nodes.data, read->element_at, sort_element_width(sort))};
    BitblastElementVector_push(elements, element);
  }
  qsort(elements->data, elements->count, sizeof(BitblastElement), compare_elements);
  U64Vector_free(&input_words);
  U64Vector_free(&nodes);
}

Bits bitblast_element(const BitblastElementVector *elements, Term array, Bits index) {
  if (BitblastElementVector_empty(elements)) return 0;
  BitblastElement key = {.array = array, .index = index};
  const BitblastElement *found =
      bsearch(&key, elements->data, elements->count, sizeof(BitblastElement), compare_elements);
  return found != NULL ? found->element : 0;
}
