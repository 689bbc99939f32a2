// Random formulas: mostly of the shapes that people ask for, and some of any.
#include "fuzz/maker.h"

static Node *unary(Maker *maker, int which, Node *operand) {
  Node *node = node_new(maker->arena, NODE_UNARY, which, 0, 0);
  node_add(maker->arena, node, operand);
  return node;
}

static Node *junction(Maker *maker, int which, Node *left, Node *right) {
  Node *node = node_new(maker->arena, NODE_JUNCTION, which, 0, 0);
  node_add(maker->arena, node, left);
  node_add(maker->arena, node, right);
  return node;
}

static Node *make_atom(Maker *maker) {
  if (maker->labels && dice_chance(&maker->dice, 20)) {
    int label = (int)dice_below(&maker->dice, (unsigned)maker->labels);
    return node_new(maker->arena, NODE_AT, label, dice_chance(&maker->dice, 40), 0);
  }
  Node *node = node_new(maker->arena, NODE_ATOM, 0, 0, 0);
  node_add(maker->arena, node, make_comparison_of_shared(maker));
  return node;
}

// With this many operators.
static Node *make_any(Maker *maker, unsigned operators) {
  static const unsigned char unary_weights[UNARY_COUNT] = {20, 30, 35, 15};
  static const unsigned char junction_weights[JUNCTION_COUNT] = {15, 18, 18, 25, 12, 12};
  if (operators == 0) return make_atom(maker);
  operators--;
  if (dice_chance(&maker->dice, 50)) {
    int which = (int)dice_weighted(&maker->dice, unary_weights, UNARY_COUNT);
    return unary(maker, which, make_any(maker, operators));
  }
  int which = (int)dice_weighted(&maker->dice, junction_weights, JUNCTION_COUNT);
  unsigned on_the_left = dice_below(&maker->dice, operators + 1);
  Node *left = make_any(maker, on_the_left);
  return junction(maker, which, left, make_any(maker, operators - on_the_left));
}

static Node *make_response(Maker *maker) {
  Node *request = make_atom(maker), *answer = make_atom(maker);
  answer = unary(maker, UNARY_FINALLY, answer);
  return unary(maker, UNARY_GLOBALLY, junction(maker, JUNCTION_IMPLIES, request, answer));
}

static Node *make_exclusion(Maker *maker) {
  Node *one = make_atom(maker), *other = make_atom(maker);
  return unary(maker, UNARY_GLOBALLY, unary(maker, UNARY_NOT, junction(maker, JUNCTION_AND, one, other)));
}

static Node *make_precedence(Maker *maker) {
  Node *later = make_atom(maker), *earlier = make_atom(maker);
  return junction(maker, JUNCTION_WEAK_UNTIL, unary(maker, UNARY_NOT, later), earlier);
}

static Node *make_until(Maker *maker) {
  Node *left = make_atom(maker), *right = make_atom(maker);
  return junction(maker, JUNCTION_UNTIL, left, right);
}

Node *make_formula(Maker *maker) {
  enum { RESPONSE, PERSISTENCE, RECURRENCE, EVENTUALLY, EXCLUSION, PRECEDENCE, UNTIL, ANY, COUNT };
  static const unsigned char weights[COUNT] = {18, 10, 14, 6, 8, 5, 6, 33};
  switch (dice_weighted(&maker->dice, weights, COUNT)) {
  case RESPONSE: return make_response(maker);
  case PERSISTENCE: return unary(maker, UNARY_FINALLY, unary(maker, UNARY_GLOBALLY, make_atom(maker)));
  case RECURRENCE: return unary(maker, UNARY_GLOBALLY, unary(maker, UNARY_FINALLY, make_atom(maker)));
  case EVENTUALLY: return unary(maker, UNARY_FINALLY, make_atom(maker));
  case EXCLUSION: return make_exclusion(maker);
  case PRECEDENCE: return make_precedence(maker);
  case UNTIL: return make_until(maker);
  default: return make_any(maker, 2 + dice_below(&maker->dice, 5));
  }
}
