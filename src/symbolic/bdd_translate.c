#include "symbolic/bdd_translate.h"

enum { MOST_WORK = 4000000 }; // nodes of one operand times nodes of the other
enum { WORTH_SIMPLIFYING = 50 };

void bdd_translator_init_graph(BddTranslator *t, const Aig *aig, Budget *budget, Account *account) {
  *t = (BddTranslator){.aig = aig, .stop_point = "reach-bdd", .budget = budget};
  U32Vector_init(&t->known, account);
  U32Vector_init(&t->touched, account);
  U32Vector_init(&t->stack, account);
  map_init(&t->input_variable, account);
  ByteVector_init(&t->forced, account);
  U32Vector_resize(&t->known, aig_node_count(aig));
}

// The diagram of an input of the words' graph.
static Bdd diagram_of_bit(const BddTranslator *t, uint32_t input) {
  uint32_t id = t->words->bit_of_input.data[input];
  assert(id != NO_ID);
  const WordBit *bit = &t->words->bits.data[id];
  uint8_t value = bit->known != BIT_OPEN ? bit->known : t->forced.data[id];
  if (value != BIT_OPEN) return value == BIT_ONE ? BDD_TRUE : BDD_FALSE;
  uint64_t other = bit->variable;
  map_get(&t->input_variable, input, &other);
  return bdd_space_variable((unsigned)other);
}

void bdd_translator_init(BddTranslator *t, Words *words, Budget *budget, Account *account) {
  bdd_translator_init_graph(t, &words->aig, budget, account);
  t->words = words;
  t->leaf = diagram_of_bit;
  for (size_t i = 0; i < words->bits.count; i++) ByteVector_push(&t->forced, BIT_OPEN);
}

void bdd_translator_free(BddTranslator *t) {
  ByteVector_free(&t->forced);
  map_free(&t->input_variable);
  U32Vector_free(&t->stack);
  U32Vector_free(&t->touched);
  U32Vector_free(&t->known);
}

bool bdd_translator_stopped(BddTranslator *t) {
  if (!t->flaw && bdd_space_exhausted()) t->flaw = "the decision diagrams grew too large";
  if (!t->flaw && budget_exhausted(t->budget, t->stop_point)) t->flaw = stop_reason_text(t->budget->reason);
  if (t->limit > 0 && bdd_space_produced() > t->limit) t->too_large = true;
  return t->flaw || t->too_large;
}

void bdd_translator_limit(BddTranslator *t, size_t nodes) {
  t->limit = nodes > 0 ? bdd_space_produced() + nodes : 0;
  t->too_large = false;
}

// The diagram of an input or a constant.
static Bdd diagram_of_leaf(BddTranslator *t, uint32_t node) {
  if (node == 0) return BDD_FALSE;
  return t->leaf(t, aig_input_index(t->aig, node));
}

static Bdd literal_diagram(const BddTranslator *t, AigLiteral literal) {
  assert(t->known.data[aig_node(literal)] != 0);
  Bdd node = (Bdd)t->known.data[aig_node(literal)] - 1;
  return aig_is_inverted(literal) ? bdd_space_not(node) : bdd_space_share(node);
}

static void keep_diagram(BddTranslator *t, uint32_t node, Bdd diagram) {
  assert(t->known.data[node] == 0);
  t->known.data[node] = (uint32_t)diagram + 1;
  U32Vector_push(&t->touched, node);
}

// The diagram of a gate of two diagrams that are not constants.
static Bdd conjunction(BddTranslator *t, AigLiteral a, AigLiteral b) {
  Bdd left = literal_diagram(t, a), right = literal_diagram(t, b);
  // An operation cannot be interrupted, so its possible cost is checked before.
  if (t->limit > 0 && bdd_space_size(left) * bdd_space_size(right) > MOST_WORK) t->too_large = true;
  Bdd both = t->too_large ? BDD_FALSE : bdd_space_and(left, right);
  bdd_space_drop(left);
  bdd_space_drop(right);
  bdd_translator_stopped(t);
  if (t->care != BDD_FALSE && bdd_space_size(both) > WORTH_SIMPLIFYING)
    bdd_space_replace(&both, bdd_space_simplify(both, t->care));
  return both;
}

static bool is_known(const BddTranslator *t, AigLiteral literal) { return t->known.data[aig_node(literal)] != 0; }

// Is the diagram of the literal this constant? False if it was not built yet.
static bool is_constant(const BddTranslator *t, AigLiteral literal, Bdd constant) {
  uint32_t known = t->known.data[aig_node(literal)];
  return known == (uint32_t)(aig_is_inverted(literal) ? BDD_TRUE - constant : constant) + 1;
}

// Builds the node, or pushes an operand that must be built first. When relations are built for one set after the other,
// most bits are forced; if one operand is false, the other operand and all that it depends on need not be built.
static void build_or_push(BddTranslator *t, uint32_t node, U32Vector *stack) {
  const Aig *aig = t->aig;
  if (!aig_is_gate(aig, node)) {
    keep_diagram(t, node, diagram_of_leaf(t, node));
    return;
  }
  AigLiteral left = aig_left(aig, node), right = aig_right(aig, node);
  if (is_constant(t, left, BDD_FALSE) || is_constant(t, right, BDD_FALSE))
    keep_diagram(t, node, BDD_FALSE);
  else if (!is_known(t, left))
    U32Vector_push(stack, aig_node(left));
  else if (!is_known(t, right))
    U32Vector_push(stack, aig_node(right));
  else if (is_constant(t, left, BDD_TRUE))
    keep_diagram(t, node, literal_diagram(t, right));
  else if (is_constant(t, right, BDD_TRUE))
    keep_diagram(t, node, literal_diagram(t, left));
  else
    keep_diagram(t, node, conjunction(t, left, right));
}

Bdd bdd_translate(BddTranslator *t, AigLiteral literal) {
  assert(t->leaf);
  if (aig_node(literal) >= t->known.count) U32Vector_resize(&t->known, aig_node_count(t->aig)); // the graph grew
  U32Vector *stack = &t->stack;
  U32Vector_clear(stack);
  U32Vector_push(stack, aig_node(literal));
  while (stack->count > 0 && !t->flaw && !t->too_large) {
    uint32_t node = *U32Vector_last(stack);
    if (t->known.data[node])
      U32Vector_pop(stack);
    else
      build_or_push(t, node, stack);
  }
  return stack->count == 0 && !bdd_translator_stopped(t) ? literal_diagram(t, literal) : BDD_FALSE;
}

Bdd bdd_translate_condition(BddTranslator *t, Term condition) {
  assert(t->words);
  return bdd_translate(t, bitblast_bool(&t->words->blaster, condition));
}

void bdd_translator_forget(BddTranslator *t) {
  for (size_t i = 0; i < t->touched.count; i++) {
    bdd_space_drop((Bdd)t->known.data[t->touched.data[i]] - 1);
    t->known.data[t->touched.data[i]] = 0;
  }
  U32Vector_clear(&t->touched);
  map_clear(&t->input_variable);
}
