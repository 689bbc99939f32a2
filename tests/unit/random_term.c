#include "random_term.h"

typedef struct Generator {
  RandomTree *tree;
  const TermStore *store;
  uint64_t *state;
  const Term *variables;
  size_t variable_count;
  unsigned features, widest;
} Generator;

uint64_t random_next(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  return hash_mix(*state);
}

static unsigned below(Generator *g, unsigned end) { return (unsigned)(random_next(g->state) % end); }

static uint32_t add(Generator *g, RandomNode node) {
  RandomTree_push(g->tree, node);
  return (uint32_t)g->tree->count - 1;
}

static uint32_t add_operation(Generator *g, TermOperator op, Sort sort, uint32_t a, uint32_t b, uint32_t c) {
  return add(g, (RandomNode){.op = op, .sort = sort, .children = {a, b, c}});
}

static uint32_t bits_term(Generator *g, unsigned width, unsigned depth);

// --- leaves ---

static uint32_t constant_leaf(Generator *g, unsigned width) {
  Bits value, sign = (Bits)1 << (width - 1);
  switch (below(g, 8)) {
  case 0: value = 0; break;
  case 1: value = 1; break;
  case 2: value = bits_mask(width); break;
  case 3: value = sign; break;
  case 4: value = sign - 1; break;
  case 5: value = (Bits)1 << below(g, width); break;
  case 6: value = below(g, 16); break;
  default: value = (Bits)random_next(g->state) << 64 | random_next(g->state);
  }
  return add(g, (RandomNode){.op = TERM_CONSTANT, .sort = sort_bits(width), .value = value & bits_mask(width)});
}

static uint32_t resized(Generator *g, uint32_t node, unsigned width) {
  unsigned old_width = RandomTree_at(g->tree, node)->sort;
  if (old_width == width) return node;
  if (old_width < width) return add_operation(g, below(g, 2) ? TERM_ZEXT : TERM_SEXT, sort_bits(width), node, 0, 0);
  unsigned low = below(g, old_width - width + 1);
  return add(g,
             (RandomNode){.op = TERM_EXTRACT, .sort = width, .high = low + width - 1, .low = low, .children = {node}});
}

// A variable whose sort satisfies the request: an array, or bits of preferably the given width.
static Term pick_variable(Generator *g, bool array, unsigned width) {
  Term picked = TERM_NONE;
  for (unsigned tries = 0; tries < 8 * g->variable_count; tries++) {
    Term t = g->variables[below(g, (unsigned)g->variable_count)];
    Sort sort = term_sort(g->store, t);
    if (sort_is_array(sort) != array) continue;
    if (!picked || sort == width) picked = t;
    if (array || sort == width || tries > 2 * g->variable_count) break;
  }
  return picked;
}

static uint32_t leaf(Generator *g, unsigned width) {
  Term variable = below(g, 4) ? pick_variable(g, false, width) : TERM_NONE;
  if (!variable) return constant_leaf(g, width);
  uint32_t node =
      add(g, (RandomNode){.op = TERM_VARIABLE, .sort = term_sort(g->store, variable), .variable = variable});
  return resized(g, node, width);
}

// A node of this sort that is there already, so that equal subterms meet; or -1.
static int64_t reuse(Generator *g, Sort sort) {
  if (g->tree->count == 0) return -1;
  for (unsigned tries = 0; tries < 6; tries++) {
    unsigned i = below(g, (unsigned)g->tree->count);
    if (RandomTree_at(g->tree, i)->sort == sort) return i;
  }
  return -1;
}

// --- arrays ---

// Often a constant: stores at constant indices have rules of their own.
static uint32_t index_term(Generator *g, unsigned width, unsigned depth) {
  return below(g, 2) ? constant_leaf(g, width) : bits_term(g, width, depth);
}

static uint32_t array_term(Generator *g, Sort sort, unsigned depth) {
  int64_t known = below(g, 3) == 0 ? reuse(g, sort) : -1;
  if (known >= 0) return (uint32_t)known;
  unsigned index_width = sort_index_width(sort), element_width = sort_element_width(sort);
  unsigned choice = depth ? below(g, 8) : 0;
  if (choice == 0) {
    for (size_t i = 0, at = random_next(g->state); i < g->variable_count; i++) {
      Term t = g->variables[(at + i) % g->variable_count];
      if (term_sort(g->store, t) == sort) return add(g, (RandomNode){.op = TERM_VARIABLE, .sort = sort, .variable = t});
    }
    assert(!"a variable of each array sort in use");
  }
  if (choice == 1) return add_operation(g, TERM_CONST_ARRAY, sort, bits_term(g, element_width, 1), 0, 0);
  uint32_t first = array_term(g, sort, depth - 1);
  if (choice == 2) {
    uint32_t condition = bits_term(g, 1, depth - 1), second = array_term(g, sort, depth - 1);
    return add_operation(g, TERM_ITE, sort, condition, first, second);
  }
  uint32_t index = index_term(g, index_width, depth / 2);
  return add_operation(g, TERM_STORE, sort, first, index, bits_term(g, element_width, depth / 2));
}

static uint32_t selected(Generator *g, unsigned width, unsigned depth) {
  Term variable = pick_variable(g, true, 0);
  assert(variable && "RANDOM_ARRAYS needs an array variable");
  Sort sort = term_sort(g->store, variable);
  uint32_t array = array_term(g, sort, depth);
  uint32_t index = index_term(g, sort_index_width(sort), depth / 2);
  return resized(g, add_operation(g, TERM_SELECT, sort_bits(sort_element_width(sort)), array, index, 0), width);
}

// --- floating point ---

static uint32_t floating_predicate(Generator *g, unsigned depth) {
  static const TermOperator predicates[] = {TERM_FP_EQ, TERM_FP_LT, TERM_FP_LE, TERM_FP_IS_NAN};
  unsigned width = below(g, 2) ? 32 : 64, choice = below(g, 4);
  uint32_t a = bits_term(g, width, depth), b = choice < 3 ? bits_term(g, width, depth) : 0;
  return add_operation(g, predicates[choice], sort_bits(1), a, b, 0);
}

static uint32_t floating_term(Generator *g, unsigned width, unsigned depth) {
  static const TermOperator operations[] = {TERM_FP_ADD, TERM_FP_SUB, TERM_FP_MUL, TERM_FP_DIV, TERM_FP_REM};
  if (width == 1) return floating_predicate(g, depth);
  unsigned other = below(g, 2) ? 32 : 64, choice = below(g, 8);
  if (width != 32 && width != 64)
    return add_operation(g, choice & 1 ? TERM_FP_TO_SINT : TERM_FP_TO_UINT, width, bits_term(g, other, depth), 0, 0);
  if (choice == 5) return add_operation(g, TERM_FP_SQRT, width, bits_term(g, width, depth), 0, 0);
  if (choice == 6) return add_operation(g, TERM_FP_TO_FP, width, bits_term(g, 96 - width, depth), 0, 0);
  if (choice == 7 || (choice == 4 && !(g->features & RANDOM_FLOATING_REMAINDER))) {
    uint32_t integer = bits_term(g, 1 + below(g, g->widest), depth);
    return add_operation(g, below(g, 2) ? TERM_FP_FROM_SINT : TERM_FP_FROM_UINT, width, integer, 0, 0);
  }
  uint32_t a = bits_term(g, width, depth);
  return add_operation(g, operations[choice], width, a, bits_term(g, width, depth), 0);
}

// --- bit-vectors ---

static unsigned operand_width(Generator *g) {
  if (below(g, 3) == 0) return 1 + below(g, g->widest);
  Term variable = pick_variable(g, false, 0);
  return variable ? term_width(g->store, variable) : 1 + below(g, g->widest);
}

static uint32_t predicate(Generator *g, unsigned depth) {
  static const TermOperator operators[] = {TERM_EQ,    TERM_EQ,    TERM_EQ,    TERM_ULT,   TERM_ULE,   TERM_SLT,
                                           TERM_SLE,   TERM_ULT,   TERM_SLT,   TERM_UADDO, TERM_SADDO, TERM_UMULO,
                                           TERM_SMULO, TERM_USUBO, TERM_SSUBO, TERM_SDIVO, TERM_NEGO};
  unsigned width = operand_width(g);
  TermOperator op = operators[below(g, sizeof operators / sizeof *operators)];
  uint32_t a = bits_term(g, width, depth), b = op == TERM_NEGO ? 0 : bits_term(g, width, depth);
  return add_operation(g, op, sort_bits(1), a, b, 0);
}

static uint32_t conversion(Generator *g, unsigned width, unsigned depth) {
  if (width > 1 && below(g, 3) == 0) {
    unsigned low = 1 + below(g, width - 1);
    uint32_t high_part = bits_term(g, width - low, depth);
    return add_operation(g, TERM_CONCAT, width, high_part, bits_term(g, low, depth), 0);
  }
  return resized(g, bits_term(g, operand_width(g), depth), width);
}

static uint32_t operation(Generator *g, unsigned width, unsigned depth) {
  static const TermOperator operators[] = {TERM_AND,  TERM_OR,   TERM_XOR,  TERM_ADD,  TERM_SUB, TERM_MUL,  TERM_UDIV,
                                           TERM_UREM, TERM_SDIV, TERM_SREM, TERM_SMOD, TERM_SHL, TERM_LSHR, TERM_ASHR,
                                           TERM_ROTL, TERM_ROTR, TERM_AND,  TERM_OR,   TERM_ADD, TERM_SUB};
  TermOperator op = operators[below(g, sizeof operators / sizeof *operators)];
  uint32_t a = bits_term(g, width, depth);
  return add_operation(g, op, width, a, bits_term(g, width, depth), 0);
}

static uint32_t bits_term(Generator *g, unsigned width, unsigned depth) {
  int64_t known = below(g, 4) == 0 ? reuse(g, sort_bits(width)) : -1;
  if (known >= 0) return (uint32_t)known;
  if (depth == 0 || below(g, 12) == 0) return leaf(g, width);
  unsigned choice = below(g, 16), next = depth - 1;
  if (width == 1 && choice < 5) return predicate(g, next);
  if (choice < 2) return add_operation(g, TERM_NOT, width, bits_term(g, width, next), 0, 0);
  if (choice < 3) return add_operation(g, TERM_NEG, width, bits_term(g, width, next), 0, 0);
  if (choice < 5) {
    uint32_t condition = bits_term(g, 1, next), yes = bits_term(g, width, next);
    return add_operation(g, TERM_ITE, width, condition, yes, bits_term(g, width, next));
  }
  if (choice < 8) return conversion(g, width, next);
  if (choice < 10 && g->features & RANDOM_ARRAYS) return selected(g, width, next);
  if (choice < 12 && g->features & RANDOM_FLOATING_POINT) return floating_term(g, width, next);
  return operation(g, width, next);
}

// --- the interface ---

void random_tree(RandomTree *tree, const TermStore *store, uint64_t *state, const Term *variables,
                 size_t variable_count, unsigned width, unsigned depth, unsigned features) {
  RandomTree_clear(tree);
  Generator g = {.tree = tree,
                 .store = store,
                 .state = state,
                 .variables = variables,
                 .variable_count = variable_count,
                 .features = features,
                 .widest = width > 8 ? width : 8};
  for (size_t i = 0; i < variable_count; i++) {
    Sort sort = term_sort(store, variables[i]);
    if (!sort_is_array(sort) && sort > g.widest) g.widest = sort;
  }
  uint32_t root = bits_term(&g, width, depth);
  if (root + 1 != tree->count) { // a reused node: the term has to be the last one
    RandomNode node = *RandomTree_at(tree, root);
    RandomTree_push(tree, node);
  }
}

static Term build_node(TermStore *store, const RandomNode *node, const Term *terms) {
  Term a = terms[node->children[0]], b = terms[node->children[1]], c = terms[node->children[2]];
  switch (node->op) {
  case TERM_CONSTANT: return term_constant(store, node->sort, node->value);
  case TERM_VARIABLE: return node->variable;
  case TERM_EXTRACT: return term_extract(store, a, node->high, node->low);
  case TERM_ZEXT: return term_zero_extend(store, a, node->sort);
  case TERM_SEXT: return term_sign_extend(store, a, node->sort);
  case TERM_ITE: return term_ite(store, a, b, c);
  case TERM_SELECT: return term_select(store, a, b);
  case TERM_STORE: return term_store_element(store, a, b, c);
  case TERM_CONST_ARRAY: return term_constant_array(store, node->sort, a);
  case TERM_NOT:
  case TERM_NEG:
  case TERM_NEGO:
  case TERM_FP_SQRT:
  case TERM_FP_IS_NAN: return term_unary(store, node->op, a);
  default: break;
  }
  return node->op >= TERM_FP_TO_FP ? term_convert(store, node->op, a, node->sort) : term_binary(store, node->op, a, b);
}

Term random_build(TermStore *store, const RandomTree *tree, TermVector *terms) {
  TermVector_clear(terms);
  TermVector_reserve(terms, tree->count + 1);
  for (size_t i = 0; i < tree->count; i++) {
    // Unused operands are node 0, which is there once i > 0; leaves come first, so none is read before.
    Term t = i == 0 ? build_node(store, RandomTree_at(tree, i), (Term[]){TERM_NONE, TERM_NONE, TERM_NONE})
                    : build_node(store, RandomTree_at(tree, i), terms->data);
    TermVector_push(terms, t);
  }
  return *TermVector_last(terms);
}

Term random_term(TermStore *store, uint64_t *state, const Term *variables, size_t variable_count, unsigned width,
                 unsigned depth, unsigned features) {
  RandomTree tree = {0};
  TermVector terms = {0};
  random_tree(&tree, store, state, variables, variable_count, width, depth, features);
  Term t = random_build(store, &tree, &terms);
  RandomTree_free(&tree);
  TermVector_free(&terms);
  return t;
}
