#include "fuzz/maker.h"

static Node *leaf(Maker *maker, NodeKind kind, int n0) { return node_new(maker->arena, kind, n0, 0, 0); }

static Node *node_with(Maker *maker, NodeKind kind, int n0, Node *first, Node *second) {
  Node *node = leaf(maker, kind, n0);
  node_add(maker->arena, node, first);
  if (second) node_add(maker->arena, node, second);
  return node;
}

static int below(Maker *maker, unsigned count) { return (int)dice_below(&maker->dice, count); }

Node *make_constant(Maker *maker, unsigned below_this) {
  int value = below(maker, below_this);
  return leaf(maker, NODE_CONSTANT, value);
}

int make_atomic(Maker *maker) {
  assert(tree_globals[GLOBAL_FIRST_ATOMIC].type == GLOBAL_ATOMIC);
  return GLOBAL_FIRST_ATOMIC + dice_chance(&maker->dice, 30);
}

int make_target(Maker *maker) {
  enum { NULL_TARGET, GLOBAL_TARGET, ELEMENT_TARGET, LOCAL_TARGET, COUNT };
  static const unsigned char weights[COUNT] = {4, 74, 15, 7};
  switch (dice_weighted(&maker->dice, weights, COUNT)) {
  case NULL_TARGET: return TARGET_NULL;
  case ELEMENT_TARGET: return TARGET_ELEMENT + below(maker, (unsigned)tree_array_lengths[0]);
  case LOCAL_TARGET:
    if (maker->body == 0) return TARGET_LOCAL + below(maker, 2);
    return TARGET_GLOBAL;
  default: return TARGET_GLOBAL + below(maker, 3);
  }
}

// Mostly within the bounds: a constant, or a value cut to size.
static Node *make_element(Maker *maker) {
  int array = below(maker, ARRAY_COUNT);
  bool constant = dice_chance(&maker->dice, 45);
  bool wild = maker_has(maker, FEATURE_OUT_OF_BOUNDS) && dice_chance(&maker->dice, 50);
  unsigned length = (unsigned)tree_array_lengths[array];
  Node *index;
  if (constant) {
    index = make_constant(maker, length + wild);
  } else {
    int variable = maker->palette[dice_below(&maker->dice, maker->palette_count)];
    bool local = maker->set_locals & 1 && dice_chance(&maker->dice, 50);
    index = local ? leaf(maker, NODE_LOCAL, 0) : leaf(maker, NODE_GLOBAL, variable);
    if (!wild) index = node_with(maker, NODE_BINARY, OPERATOR_MASK, index, leaf(maker, NODE_CONSTANT, 1));
  }
  return node_with(maker, NODE_ELEMENT, array, index, NULL);
}

Node *make_shared_place(Maker *maker) {
  if (maker_has(maker, FEATURE_ARRAYS) && dice_chance(&maker->dice, 25)) return make_element(maker);
  if (maker_has(maker, FEATURE_POINTERS) && dice_chance(&maker->dice, 25)) {
    int pointer = dice_chance(&maker->dice, 25);
    return leaf(maker, NODE_TARGET, pointer);
  }
  return leaf(maker, NODE_GLOBAL, maker->palette[dice_below(&maker->dice, maker->palette_count)]);
}

Node *make_place(Maker *maker) {
  if (dice_chance(&maker->dice, 30)) return leaf(maker, NODE_LOCAL, below(maker, LOCAL_COUNT));
  return make_shared_place(maker);
}

Node *make_read(Maker *maker) {
  int local = below(maker, LOCAL_COUNT);
  bool take_local = dice_chance(&maker->dice, 40);
  if (take_local && maker->set_locals >> local & 1) return leaf(maker, NODE_LOCAL, local);
  return make_shared_place(maker);
}

static Node *make_atomic_operation(Maker *maker) {
  int variable = make_atomic(maker);
  unsigned which = dice_below(&maker->dice, maker->endless ? 2 : 3);
  Node *value = make_constant(maker, 3);
  if (which == 0) return node_with(maker, NODE_EXCHANGE, variable, value, NULL);
  if (which == 1) {
    Node *desired = make_constant(maker, 4);
    return node_with(maker, NODE_COMPARE_SWAP, variable, value, desired);
  }
  return node_with(maker, NODE_FETCH_ADD, variable, leaf(maker, NODE_CONSTANT, 1), NULL);
}

static Node *make_arithmetic(Maker *maker, unsigned depth) {
  static const unsigned char weights[] = {50, 15, 10, 10, 15};
  int which_operator = (int)dice_weighted(&maker->dice, weights, sizeof weights);
  Node *left = make_value(maker, depth - 1);
  Node *right = dice_chance(&maker->dice, 60) ? make_constant(maker, 3) : make_value(maker, depth - 1);
  Node *result = node_with(maker, NODE_BINARY, which_operator, left, right);
  if (maker->endless) result = node_with(maker, NODE_BINARY, OPERATOR_MASK, result, leaf(maker, NODE_CONSTANT, 3));
  return result;
}

static Node *make_choice(Maker *maker, unsigned depth) {
  Node *condition = make_condition(maker, 0);
  Node *one = make_value(maker, depth - 1);
  Node *other = make_value(maker, depth - 1);
  Node *result = node_with(maker, NODE_CHOICE, 0, condition, one);
  node_add(maker->arena, result, other);
  return result;
}

Node *make_value(Maker *maker, unsigned depth) {
  enum { CONSTANT, PLACE, ARITHMETIC, CHOICE, ATOMIC, INPUT, LOOP, ARGUMENT, LIST, COUNT };
  const unsigned char weights[COUNT] = {
      [CONSTANT] = 22,
      [PLACE] = 45,
      [ARITHMETIC] = depth ? 20 : 0,
      [CHOICE] = depth ? 4 : 0,
      [ATOMIC] = maker_has(maker, FEATURE_ATOMICS) ? 18 : 0,
      [INPUT] = maker_has(maker, FEATURE_INPUTS) && (!maker->endless || maker->lively) ? 8 : 0,
      [LOOP] = maker->loop_depth ? 15 : 0,
      [ARGUMENT] = maker->body ? 6 : 0,
      [LIST] = maker_has(maker, FEATURE_LISTS) ? 12 : 0,
  };
  switch (dice_weighted(&maker->dice, weights, COUNT)) {
  case CONSTANT: return make_constant(maker, 4);
  case ARITHMETIC: return make_arithmetic(maker, depth);
  case CHOICE: return make_choice(maker, depth);
  case ATOMIC: return make_atomic_operation(maker);
  case INPUT: return leaf(maker, NODE_INPUT, below(maker, 10) < 7 ? 0 : 1 + below(maker, 2));
  case LOOP: return leaf(maker, NODE_LOOP_VARIABLE, below(maker, maker->loop_depth));
  case ARGUMENT: return leaf(maker, NODE_ARGUMENT, 0);
  case LIST: return leaf(maker, NODE_LIST_VALUE, below(maker, LIST_COUNT));
  default: return make_read(maker);
  }
}

static Node *make_comparison(Maker *maker) {
  static const unsigned char weights[] = {40, 25, 10, 10, 10, 5};
  Node *left = make_read(maker);
  int which_operator = OPERATOR_EQUAL + (int)dice_weighted(&maker->dice, weights, sizeof weights);
  Node *right = dice_chance(&maker->dice, 80) ? make_constant(maker, 3) : make_read(maker);
  return node_with(maker, NODE_BINARY, which_operator, left, right);
}

Node *make_condition(Maker *maker, unsigned depth) {
  enum { COMPARISON, PLACE, NEGATION, BOTH, EITHER, SWAP, INPUT, POINTS, FILLED, COUNT };
  const unsigned char weights[COUNT] = {
      [COMPARISON] = 40,
      [PLACE] = 12,
      [NEGATION] = 12,
      [BOTH] = depth ? 8 : 0,
      [EITHER] = depth ? 8 : 0,
      [SWAP] = maker_has(maker, FEATURE_ATOMICS) ? 10 : 0,
      [INPUT] = maker_has(maker, FEATURE_INPUTS) && (!maker->endless || maker->lively) ? 15 : 0,
      [POINTS] = maker_has(maker, FEATURE_POINTERS) ? 10 : 0,
      [FILLED] = maker_has(maker, FEATURE_LISTS) ? 15 : 0,
  };
  unsigned which = dice_weighted(&maker->dice, weights, COUNT);
  switch (which) {
  case PLACE: return make_read(maker);
  case NEGATION: {
    Node *inner = make_read(maker);
    return node_with(maker, NODE_NOT, 0, inner, NULL);
  }
  case BOTH:
  case EITHER: {
    Node *left = make_condition(maker, depth - 1);
    Node *right = make_condition(maker, depth - 1);
    return node_with(maker, NODE_BINARY, which == BOTH ? OPERATOR_AND : OPERATOR_OR, left, right);
  }
  case SWAP: return make_atomic_operation(maker);
  case INPUT: return leaf(maker, NODE_INPUT, 0);
  case POINTS: {
    Node *test = leaf(maker, NODE_POINTS_TO, dice_chance(&maker->dice, 25));
    test->n[1] = make_target(maker);
    return test;
  }
  case FILLED: return leaf(maker, NODE_LIST_FILLED, below(maker, LIST_COUNT));
  default: return make_comparison(maker);
  }
}

// --- assertions ---

void note_assignment(Maker *maker, const Node *assignment) {
  const Node *place = assignment->children[0], *value = assignment->children[1];
  if (place->kind != NODE_GLOBAL) return;
  unsigned *values = &maker->values[place->n[0]];
  bool constant = value->kind == NODE_CONSTANT;
  if (assignment->kind == NODE_ASSIGN && constant) *values |= 1u << value->n[0];
  if (assignment->kind == NODE_ASSIGN && value->kind == NODE_GLOBAL) *values |= maker->values[value->n[0]];
  if (assignment->kind == NODE_ASSIGN && value->kind == NODE_BINARY) *values |= *values << 1;
  if (assignment->kind == NODE_UPDATE && constant) *values |= *values << value->n[0];
  *values &= 0xff;
}

// Mostly a value that the place may have: an assertion about another one never fails.
static Node *make_likely_value(Maker *maker, const Node *place) {
  unsigned values = place->kind == NODE_GLOBAL ? maker->values[place->n[0]] : 0, count = 0;
  if (values > 1 && dice_chance(&maker->dice, 40)) values &= ~1u; // what it starts with is the least interesting
  for (unsigned i = 0; i < 8; i++) count += values >> i & 1;
  if (count == 0 || dice_chance(&maker->dice, 20)) return make_constant(maker, 3);
  unsigned left = dice_below(&maker->dice, count);
  for (unsigned i = 0;; i++)
    if (values >> i & 1 && left-- == 0) return leaf(maker, NODE_CONSTANT, (int)i);
}

// A place that is not in `so_far` yet, if one is found: `x != 1 || x != 2` holds always.
static Node *make_fresh_place(Maker *maker, const Node *so_far) {
  for (unsigned tries = 0;; tries++) {
    bool any = dice_chance(&maker->dice, maker->body ? 35 : 10);
    Node *place = any ? make_read(maker) : make_shared_place(maker);
    bool fresh = true;
    for (const Node *at = so_far; at && fresh;) {
      bool chain = at->n[0] == OPERATOR_OR;
      const Node *other = chain ? at->children[1]->children[0] : at->children[0];
      fresh = other->kind != place->kind || other->n[0] != place->n[0];
      at = chain ? at->children[0] : NULL;
    }
    if (fresh || tries == 4) return place;
  }
}

static Node *make_literal(Maker *maker, int which_operator, const Node *so_far) {
  Node *place = make_fresh_place(maker, so_far);
  Node *value = make_likely_value(maker, place);
  return node_with(maker, NODE_BINARY, which_operator, place, value);
}

// The more literals a disjunction has, the more rarely it fails. With these weights about half the programs are safe.
Node *make_assertion(Maker *maker) {
  enum { BOUND, EXCLUDED, ONE_OF, EQUAL_PLACES, COUNT };
  static const unsigned char weights[COUNT] = {10, 72, 10, 8};
  unsigned shape = dice_weighted(&maker->dice, weights, COUNT);
  if (shape == BOUND) {
    Node *place = make_read(maker);
    Node *bound = leaf(maker, NODE_CONSTANT, 1 + below(maker, 4));
    return node_with(maker, NODE_BINARY, OPERATOR_AT_MOST, place, bound);
  }
  if (shape == EQUAL_PLACES) return make_comparison(maker);
  static const unsigned char counts[] = {8, 42, 50};
  unsigned literals = 1 + dice_weighted(&maker->dice, counts, sizeof counts);
  Node *result = make_literal(maker, shape == ONE_OF ? OPERATOR_EQUAL : OPERATOR_UNEQUAL, NULL);
  for (unsigned i = 1; i < literals; i++) {
    Node *literal = make_literal(maker, OPERATOR_UNEQUAL, result);
    result = node_with(maker, NODE_BINARY, OPERATOR_OR, result, literal);
  }
  return result;
}

// --- formulas ---

static Node *make_place_of_formula(Maker *maker) {
  if (maker_has(maker, FEATURE_ARRAYS) && dice_chance(&maker->dice, 20)) {
    int array = below(maker, ARRAY_COUNT);
    return node_with(maker, NODE_ELEMENT, array, make_constant(maker, (unsigned)tree_array_lengths[array]), NULL);
  }
  int global = maker->palette[dice_below(&maker->dice, maker->palette_count)];
  return leaf(maker, NODE_GLOBAL, global == GLOBAL_OWN ? 0 : global); // each thread has its own
}

Node *make_comparison_of_shared(Maker *maker) {
  if (maker_has(maker, FEATURE_LISTS) && dice_chance(&maker->dice, 15))
    return leaf(maker, NODE_LIST_FILLED, below(maker, LIST_COUNT));
  static const unsigned char weights[] = {55, 15, 8, 8, 8, 6};
  Node *left = make_place_of_formula(maker);
  int which_operator = OPERATOR_EQUAL + (int)dice_weighted(&maker->dice, weights, sizeof weights);
  bool places = dice_chance(&maker->dice, 15);
  Node *right = places ? make_place_of_formula(maker) : make_likely_value(maker, left);
  return node_with(maker, NODE_BINARY, which_operator, left, right);
}
