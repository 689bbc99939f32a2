#include "circuit/methods/lasso_bdd.h"
#include "symbolic/bdd_order.h"

// The cone is searched depth-first, so that the inputs of a function are close together; the deeper operand comes
// first. The functions of latches follow in the order in which the latches were found. An input that is found in the
// function of a latch gets a variable beside this latch.
typedef struct Cone {
  LassoSystem *y;
  U32Vector depth;  // per node of the graph
  ByteVector seen;  // likewise
  U32Vector stack;  // nodes to be visited
  U32Vector owner;  // per input of the graph: its latch; NO_ID: an input
  U32Vector found;  // inputs of the graph, in the order in which they were found
  U32Vector beside; // per input of the graph that is no latch: one more than the latch beside it; 0: none
  uint32_t root;    // one more than the latch whose function is searched; 0: none
} Cone;

static void find_depths(Cone *n) {
  const Aig *aig = &n->y->c->aig;
  U32Vector_resize(&n->depth, aig_node_count(aig));
  for (uint32_t node = 1; node < n->depth.count; node++) {
    if (!aig_is_gate(aig, node)) continue;
    uint32_t left = n->depth.data[aig_node(aig_left(aig, node))], right = n->depth.data[aig_node(aig_right(aig, node))];
    n->depth.data[node] = 1 + (left > right ? left : right);
  }
}

static void add_latch(Cone *n, uint32_t latch) {
  LassoSystem *y = n->y;
  assert(!aig_is_inverted(y->c->latches.data[latch].now));
  uint32_t leaf = lasso_leaf_of(y, y->c->latches.data[latch].now);
  if (y->leaf.data[leaf] != NO_ID) return;
  y->leaf.data[leaf] = 0; // to be numbered
  U32Vector_push(&n->found, leaf);
  U32Vector_push(&y->latches, latch);
}

// The bits of a program counter belong together.
static void add_latches(Cone *n, uint32_t latch) {
  const CircuitLatchVector *latches = &n->y->c->latches;
  const CircuitLatch *one = &latches->data[latch];
  if (one->kind != LATCH_COUNTER) {
    add_latch(n, latch);
    return;
  }
  uint32_t first = latch, end = latch + 1;
  while (first > 0 && latches->data[first - 1].kind == LATCH_COUNTER && latches->data[first - 1].of == one->of) first--;
  while (end < latches->count && latches->data[end].kind == LATCH_COUNTER && latches->data[end].of == one->of) end++;
  while (end-- > first) add_latch(n, end);
}

static void visit_leaf(Cone *n, uint32_t node) {
  LassoSystem *y = n->y;
  uint32_t leaf = aig_input_index(&y->c->aig, node);
  if (n->owner.data[leaf] != NO_ID) {
    add_latches(n, n->owner.data[leaf]);
    return;
  }
  n->beside.data[leaf] = n->root;
  U32Vector_push(&n->found, leaf);
}

// Searches the nodes that the literal depends on.
static void search_below(Cone *n, AigLiteral root) {
  const Aig *aig = &n->y->c->aig;
  U32Vector_push(&n->stack, aig_node(root));
  while (n->stack.count > 0) {
    uint32_t node = U32Vector_pop(&n->stack);
    if (n->seen.data[node] || node == 0) continue;
    n->seen.data[node] = 1;
    if (!aig_is_gate(aig, node)) {
      visit_leaf(n, node);
      continue;
    }
    uint32_t left = aig_node(aig_left(aig, node)), right = aig_node(aig_right(aig, node));
    bool left_first = n->depth.data[left] >= n->depth.data[right];
    U32Vector_push(&n->stack, left_first ? right : left);
    U32Vector_push(&n->stack, left_first ? left : right);
  }
}

// Searches all that the question depends on; `whole`: and all latches.
static void search_all(Cone *n, bool whole) {
  LassoSystem *y = n->y;
  search_below(n, y->question->constraint);
  for (size_t i = 0; i < y->question->justice.count; i++) search_below(n, y->question->justice.data[i]);
  for (uint32_t i = 0, more = 0; i < y->latches.count || (whole && more < y->c->latches.count);) {
    if (i < y->latches.count) {
      n->root = y->latches.data[i++] + 1;
      search_below(n, y->c->latches.data[n->root - 1].next);
    } else {
      add_latch(n, more++);
    }
  }
}

// The bit of a word that the latch of this input of the graph holds; NULL: none.
static const WordBit *bit_of(const Cone *n, uint32_t leaf) {
  const Circuit *c = n->y->c;
  uint32_t latch = n->owner.data[leaf];
  if (!c->words || latch == NO_ID || c->latches.data[latch].kind != LATCH_BIT) return NULL;
  uint32_t bit = c->latches.data[latch].of;
  if (bit >= c->latch_of_bit.count || c->latch_of_bit.data[bit] != latch) return NULL;
  return c->words->bits.data[bit].known == BIT_OPEN ? &c->words->bits.data[bit] : NULL;
}

// The input for a bit's initial value gets a variable beside the bit's latch, wherever it was found first.
static void place_initial_values(Cone *n) {
  const Circuit *c = n->y->c;
  for (size_t i = 0; i < c->inputs.count; i++) {
    const CircuitInput *input = &c->inputs.data[i];
    uint32_t latch =
        input->kind == INPUT_INITIAL && input->of < c->latch_of_bit.count ? c->latch_of_bit.data[input->of] : NO_ID;
    if (latch == NO_ID || n->y->leaf.data[lasso_leaf_of(n->y, c->latches.data[latch].now)] == NO_ID) continue;
    n->beside.data[lasso_leaf_of(n->y, input->literal)] = latch + 1;
  }
}

// For words that are compared, added or copied to each other, the order of symbolic/bdd_order.h is better than the
// order in which they were found.
static void order_words(Cone *n) {
  U32Vector order; // per variable of the words: one more than the input of the graph
  U32Vector_init(&order, n->y->account);
  if (n->y->c->words) {
    bdd_order_assign(n->y->c->words, 0);
    U32Vector_resize(&order, n->y->c->words->variable_count);
  }
  for (size_t i = 0; i < n->found.count; i++) {
    const WordBit *bit = bit_of(n, n->found.data[i]);
    if (bit) order.data[bit->variable] = n->found.data[i] + 1;
  }
  size_t next = 0;
  for (size_t i = 0; i < n->found.count; i++) {
    if (!bit_of(n, n->found.data[i])) continue;
    while (order.data[next] == 0) next++; // bits have variables of their own
    n->found.data[i] = order.data[next++] - 1;
  }
  U32Vector_free(&order);
}

// Numbers variables in the order in which they were found, each latch with the inputs beside it.
static void number_variables(Cone *n) {
  LassoSystem *y = n->y;
  U32Vector first, next; // per latch, per input of the graph: lists of inputs plus one; 0 ends them
  U32Vector_init(&first, y->account);
  U32Vector_init(&next, y->account);
  U32Vector_resize(&first, y->c->latches.count);
  U32Vector_resize(&next, y->leaf.count);
  for (size_t i = n->found.count; i-- > 0;) {
    uint32_t leaf = n->found.data[i], beside = n->beside.data[leaf];
    if (beside == 0) continue;
    next.data[leaf] = first.data[beside - 1];
    first.data[beside - 1] = leaf + 1;
  }
  for (size_t i = 0; i < n->found.count; i++) {
    uint32_t leaf = n->found.data[i], latch = n->owner.data[leaf];
    if (latch == NO_ID && n->beside.data[leaf] == 0) y->leaf.data[leaf] = y->variables++;
    if (latch == NO_ID) continue;
    for (uint32_t at = first.data[latch]; at > 0; at = next.data[at - 1]) y->leaf.data[at - 1] = y->variables++;
    y->leaf.data[leaf] = y->variables;
    y->variables += 2;
  }
  U32Vector_free(&next);
  U32Vector_free(&first);
}

void lasso_system_find_cone(LassoSystem *y, bool whole) {
  Cone n = {.y = y};
  const Circuit *c = y->c;
  U32Vector_init(&n.depth, y->account);
  ByteVector_init(&n.seen, y->account);
  U32Vector_init(&n.stack, y->account);
  U32Vector_init(&n.owner, y->account);
  U32Vector_init(&n.found, y->account);
  U32Vector_init(&n.beside, y->account);
  find_depths(&n);
  ByteVector_resize(&n.seen, aig_node_count(&c->aig));
  U32Vector_resize(&n.beside, c->aig.inputs.count);
  for (size_t i = 0; i < c->aig.inputs.count; i++) {
    U32Vector_push(&n.owner, NO_ID);
    U32Vector_push(&y->leaf, NO_ID);
  }
  for (uint32_t i = 0; i < c->latches.count; i++) n.owner.data[lasso_leaf_of(y, c->latches.data[i].now)] = i;
  search_all(&n, whole);
  place_initial_values(&n);
  order_words(&n);
  number_variables(&n);
  assert(y->variables == n.found.count + y->latches.count);
  U32Vector_free(&n.beside);
  U32Vector_free(&n.found);
  U32Vector_free(&n.owner);
  U32Vector_free(&n.stack);
  ByteVector_free(&n.seen);
  U32Vector_free(&n.depth);
}
