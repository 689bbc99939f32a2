#include "fuzz/maker.h"

static Node *leaf(Maker *maker, NodeKind kind, int n0, int n1) { return node_new(maker->arena, kind, n0, n1, 0); }
static void add(Maker *maker, Node *node, Node *child) { node_add(maker->arena, node, child); }

// The block of a compound statement, and what it costs.
static Node *make_inner_block(Maker *maker, unsigned *budget, bool may_be_empty) {
  unsigned most = *budget < 3 ? *budget : 3;
  unsigned wanted = may_be_empty ? dice_below(&maker->dice, most + 1) : most ? 1 + dice_below(&maker->dice, most) : 1;
  *budget -= wanted < *budget ? wanted : *budget;
  return make_block(maker, wanted);
}

Node *make_wanted(Maker *maker, unsigned percent) {
  for (unsigned i = 0; i < GLOBAL_COUNT; i++) {
    if (!maker->wanted[i].value || maker->wanted[i].body == maker->body || !dice_chance(&maker->dice, percent))
      continue;
    Node *node = leaf(maker, NODE_ASSIGN, 0, 0);
    add(maker, node, leaf(maker, NODE_GLOBAL, (int)i, 0));
    add(maker, node, leaf(maker, NODE_CONSTANT, maker->wanted[i].value, 0));
    maker->wanted[i].value = 0;
    note_assignment(maker, node);
    return node;
  }
  return NULL;
}

// What changes again and again.
static Node *make_toggle(Maker *maker) {
  Node *place = make_shared_place(maker), *node = leaf(maker, NODE_ASSIGN, 0, 0), *value = leaf(maker, NODE_NOT, 0, 0);
  add(maker, value, node_copy(maker->arena, place));
  add(maker, node, place);
  add(maker, node, value);
  if (place->kind == NODE_GLOBAL) maker->values[place->n[0]] |= 3;
  return node;
}

static Node *make_assignment(Maker *maker) {
  Node *wanted = make_wanted(maker, 35);
  if (wanted) return wanted;
  if (maker->lively && dice_chance(&maker->dice, 20)) return make_toggle(maker);
  bool update = !maker->endless && dice_chance(&maker->dice, 25);
  Node *place = make_place(maker);
  Node *node;
  if (update) {
    static const unsigned char weights[UPDATE_OPERATOR_COUNT] = {70, 10, 10, 10};
    int which_operator = (int)dice_weighted(&maker->dice, weights, UPDATE_OPERATOR_COUNT);
    bool one = dice_chance(&maker->dice, 75);
    node = leaf(maker, NODE_UPDATE, which_operator, 0);
    add(maker, node, place);
    add(maker, node, one ? leaf(maker, NODE_CONSTANT, 1, 0) : make_value(maker, 0));
  } else {
    bool copy = place->kind == NODE_LOCAL && dice_chance(&maker->dice, 60);
    node = leaf(maker, NODE_ASSIGN, 0, 0);
    add(maker, node, place);
    add(maker, node, copy ? make_shared_place(maker) : make_value(maker, 1));
  }
  if (place->kind == NODE_LOCAL) maker->set_locals |= 1u << place->n[0];
  note_assignment(maker, node);
  return node;
}

// A place that some other thread shall set; `value` is to what.
static Node *make_awaited(Maker *maker, int *value) {
  Node *place = make_shared_place(maker);
  *value =
      1 + (place->kind == NODE_GLOBAL && tree_globals[place->n[0]].type == GLOBAL_INT && dice_chance(&maker->dice, 25));
  if (place->kind == NODE_GLOBAL) {
    maker->wanted[place->n[0]].value = *value;
    maker->wanted[place->n[0]].body = maker->body;
  }
  return place;
}

static Node *make_equal(Maker *maker, Node *place, int value) {
  Node *node = leaf(maker, NODE_BINARY, OPERATOR_EQUAL, 0);
  add(maker, node, place);
  add(maker, node, leaf(maker, NODE_CONSTANT, value, 0));
  return node;
}

static Node *make_if(Maker *maker, unsigned *budget) {
  Node *node = leaf(maker, NODE_IF, 0, 0);
  add(maker, node, make_condition(maker, 1));
  add(maker, node, make_inner_block(maker, budget, false));
  add(maker, node,
      dice_chance(&maker->dice, 35) ? make_inner_block(maker, budget, true) : leaf(maker, NODE_BLOCK, 0, 0));
  return node;
}

static Node *make_for(Maker *maker, unsigned *budget) {
  int rounds = dice_chance(&maker->dice, 70) ? 2 : 3;
  Node *node = leaf(maker, NODE_FOR, rounds, (int)maker->loop_depth);
  maker->loop_depth++;
  add(maker, node, make_inner_block(maker, budget, false));
  maker->loop_depth--;
  return node;
}

// Mostly without a body, on a shared variable that another thread may set.
static Node *make_while(Maker *maker, unsigned *budget) {
  Node *node = leaf(maker, NODE_WHILE, 0, 0);
  bool endless = maker->endless, body = dice_chance(&maker->dice, 25);
  maker->endless = true;
  if (dice_chance(&maker->dice, 75)) {
    int value;
    Node *place = make_awaited(maker, &value);
    Node *condition = leaf(maker, NODE_NOT, 0, 0);
    add(maker, condition, value == 1 ? place : make_equal(maker, place, value));
    add(maker, node, condition);
  } else {
    add(maker, node, make_condition(maker, 0));
  }
  add(maker, node, body ? make_inner_block(maker, budget, false) : leaf(maker, NODE_BLOCK, 0, 0));
  maker->endless = endless;
  return node;
}

// A mutex that is not held here, or -1.
static int make_free_mutex(Maker *maker) {
  int mutex = dice_chance(&maker->dice, 30);
  if (maker->held >> mutex & 1) mutex = !mutex;
  return maker->held >> mutex & 1 ? -1 : mutex;
}

static Node *make_locked(Maker *maker, unsigned *budget, NodeKind kind) {
  int mutex = make_free_mutex(maker);
  if (mutex < 0) return make_assignment(maker);
  Node *node = leaf(maker, kind, mutex, kind == NODE_AWAIT && dice_chance(&maker->dice, 20));
  unsigned held = maker->held;
  if (kind == NODE_AWAIT) {
    int value;
    Node *place = make_awaited(maker, &value);
    add(maker, node, dice_chance(&maker->dice, 40) ? place : make_equal(maker, place, value));
  }
  maker->held |= 1u << mutex;
  if (kind == NODE_LOCK) return node; // held to the end
  add(maker, node, make_inner_block(maker, budget, false));
  maker->held = held;
  if (kind == NODE_TRYLOCK)
    add(maker, node,
        dice_chance(&maker->dice, 40) ? make_inner_block(maker, budget, false) : leaf(maker, NODE_BLOCK, 0, 0));
  return node;
}

static Node *make_assume(Maker *maker) {
  Node *node = leaf(maker, NODE_ASSUME, 0, 0);
  if (maker->lively && dice_chance(&maker->dice, 50)) { // others decide whether the thread is stopped
    int value;
    Node *place = make_awaited(maker, &value);
    add(maker, node, make_equal(maker, place, value));
  } else {
    add(maker, node, make_condition(maker, 1));
  }
  return node;
}

static Node *make_section(Maker *maker, unsigned *budget) {
  Node *node = leaf(maker, NODE_SECTION, 0, 0);
  maker->section = true;
  add(maker, node, make_inner_block(maker, budget, false));
  maker->section = false;
  return node;
}

// A section that may wait, and then be stopped.
static Node *make_stopping_section(Maker *maker, unsigned *budget) {
  Node *node = make_section(maker, budget), *block = node->children[0];
  maker->section = true;
  if (maker_has(maker, FEATURE_LOCKS) && dice_chance(&maker->dice, 40))
    add(maker, block, make_locked(maker, budget, NODE_LOCKED));
  add(maker, block, make_assume(maker));
  maker->section = false;
  return node;
}

// What the thread will wait for is chosen before it waits: a mutex, perhaps for ever, or a section.
static Node *make_ways(Maker *maker, unsigned *budget) {
  Node *node = leaf(maker, NODE_IF, 0, 0);
  add(maker, node, leaf(maker, NODE_INPUT, 0, 0));
  for (unsigned way = 0; way < 2; way++) {
    static const unsigned char weights[] = {35, 30, 15, 20};
    unsigned held = maker->held, kind = dice_weighted(&maker->dice, weights, 4);
    if (kind == 0 && (maker->endless || maker->loop_depth)) kind = 1; // it would lock it again
    Node *block = leaf(maker, NODE_BLOCK, 0, 0);
    if (kind < 2)
      add(maker, block, make_locked(maker, budget, kind == 0 ? NODE_LOCK : NODE_LOCKED));
    else
      add(maker, block, kind == 2 ? make_section(maker, budget) : make_stopping_section(maker, budget));
    maker->held = held;
    add(maker, node, block);
  }
  return node;
}

static Node *make_spin(Maker *maker, unsigned *budget) {
  int variable = make_atomic(maker);
  Node *node = leaf(maker, NODE_SPIN, variable, dice_chance(&maker->dice, 50));
  add(maker, node, make_inner_block(maker, budget, false));
  return node;
}

static Node *make_assert(Maker *maker) {
  Node *node = leaf(maker, NODE_ASSERT, 0, 0);
  add(maker, node, make_assertion(maker));
  return node;
}

static Node *make_push(Maker *maker) {
  Node *node = leaf(maker, NODE_PUSH, dice_chance(&maker->dice, 30), 0);
  add(maker, node, make_value(maker, 0));
  return node;
}

static Node *make_end(Maker *maker) {
  static const unsigned char weights[END_COUNT] = {60, 20, 10, 10};
  int how = (int)dice_weighted(&maker->dice, weights, END_COUNT);
  // Only in one branch, so that what follows is not lost.
  Node *node = leaf(maker, NODE_IF, 0, 0), *block = leaf(maker, NODE_BLOCK, 0, 0);
  add(maker, node, make_condition(maker, 0));
  add(maker, block, leaf(maker, NODE_END, how, 0));
  add(maker, node, block);
  add(maker, node, leaf(maker, NODE_BLOCK, 0, 0));
  return node;
}

typedef enum Shape {
  SHAPE_ASSIGN,
  SHAPE_IF,
  SHAPE_FOR,
  SHAPE_WHILE,
  SHAPE_LOCKED,
  SHAPE_TRYLOCK,
  SHAPE_LOCK,
  SHAPE_AWAIT,
  SHAPE_SIGNAL,
  SHAPE_SECTION,
  SHAPE_SPIN,
  SHAPE_ASSUME,
  SHAPE_ASSERT,
  SHAPE_END,
  SHAPE_POINT,
  SHAPE_PUSH,
  SHAPE_DROP,
  SHAPE_COPY,
  SHAPE_INPUT_RANGE,
  SHAPE_WAYS,
  SHAPE_STOPPING_SECTION,
  SHAPE_COUNT
} Shape;

static Shape pick_shape(Maker *maker) {
  bool free = !maker->section; // may block or leave here
  bool locks = maker_has(maker, FEATURE_LOCKS), finite = !maker->endless;
  const unsigned char weights[SHAPE_COUNT] = {
      [SHAPE_ASSIGN] = 60,
      [SHAPE_IF] = 14,
      [SHAPE_FOR] = maker_has(maker, FEATURE_LOOPS) && maker->loop_depth < 2 && finite ? 14 : 0,
      [SHAPE_WHILE] = maker_has(maker, FEATURE_WAITS) && free && finite ? 14 : 0,
      [SHAPE_LOCKED] = locks && free            ? 24
                       : locks && maker->lively ? 8
                                                : 0,
      [SHAPE_TRYLOCK] = locks ? 7 : 0,
      [SHAPE_LOCK] = maker_has(maker, FEATURE_FORGOTTEN_UNLOCKS) && free && finite && !maker->loop_depth ? 8 : 0,
      [SHAPE_AWAIT] = maker_has(maker, FEATURE_CONDITIONS) && free ? 15 : 0,
      [SHAPE_SIGNAL] = maker_has(maker, FEATURE_CONDITIONS) ? 15 : 0,
      [SHAPE_SECTION] = maker_has(maker, FEATURE_SECTIONS) && free ? 20 : 0,
      [SHAPE_SPIN] = maker_has(maker, FEATURE_ATOMICS) && maker_has(maker, FEATURE_WAITS) && free ? 14 : 0,
      [SHAPE_ASSUME] = maker_has(maker, FEATURE_ASSUMES) ? 8 : 0,
      [SHAPE_ASSERT] = 4,
      [SHAPE_END] = maker_has(maker, FEATURE_ENDS) && free ? 10 : 0,
      [SHAPE_POINT] = maker_has(maker, FEATURE_POINTERS) ? 14 : 0,
      [SHAPE_PUSH] = maker_has(maker, FEATURE_LISTS) && finite ? 14 : 0,
      [SHAPE_DROP] = maker_has(maker, FEATURE_LISTS) ? 8 : 0,
      [SHAPE_COPY] = maker_has(maker, FEATURE_STRUCTURES) ? 8 : 0,
      [SHAPE_INPUT_RANGE] = maker_has(maker, FEATURE_INPUTS) && (finite || maker->lively) ? 8 : 0,
      [SHAPE_WAYS] = maker->lively && locks && free ? 12 : 0,
      [SHAPE_STOPPING_SECTION] = maker->lively && maker_has(maker, FEATURE_SECTIONS) && free ? 15 : 0,
  };
  return (Shape)dice_weighted(&maker->dice, weights, SHAPE_COUNT);
}

Node *make_statement(Maker *maker, unsigned *budget) {
  assert(*budget > 0);
  --*budget;
  switch (pick_shape(maker)) {
  case SHAPE_IF: return make_if(maker, budget);
  case SHAPE_FOR: return make_for(maker, budget);
  case SHAPE_WHILE: return make_while(maker, budget);
  case SHAPE_LOCKED: return make_locked(maker, budget, NODE_LOCKED);
  case SHAPE_TRYLOCK: return make_locked(maker, budget, NODE_TRYLOCK);
  case SHAPE_LOCK: return make_locked(maker, budget, NODE_LOCK);
  case SHAPE_AWAIT: return make_locked(maker, budget, NODE_AWAIT);
  case SHAPE_SIGNAL: {
    int condition = dice_chance(&maker->dice, 20);
    return leaf(maker, NODE_SIGNAL, condition, dice_chance(&maker->dice, 30));
  }
  case SHAPE_SECTION: return make_section(maker, budget);
  case SHAPE_SPIN: return make_spin(maker, budget);
  case SHAPE_ASSUME: return make_assume(maker);
  case SHAPE_ASSERT: return make_assert(maker);
  case SHAPE_END: return make_end(maker);
  case SHAPE_POINT: {
    int pointer = dice_chance(&maker->dice, 25);
    return leaf(maker, NODE_POINT, pointer, make_target(maker));
  }
  case SHAPE_PUSH: return make_push(maker);
  case SHAPE_DROP: {
    int list = dice_chance(&maker->dice, 30);
    return leaf(maker, NODE_DROP, list, dice_chance(&maker->dice, 60));
  }
  case SHAPE_COPY: return leaf(maker, NODE_COPY, dice_chance(&maker->dice, 50), 0);
  case SHAPE_INPUT_RANGE: {
    int local = (int)dice_below(&maker->dice, LOCAL_COUNT);
    maker->set_locals |= 1u << local;
    return leaf(maker, NODE_INPUT_RANGE, local, 1 + (int)dice_below(&maker->dice, 2));
  }
  case SHAPE_WAYS: return make_ways(maker, budget);
  case SHAPE_STOPPING_SECTION: return make_stopping_section(maker, budget);
  default: return make_assignment(maker);
  }
}

// Before some assignments, for formulas to speak of.
static void make_label(Maker *maker, Node *block, const Node *statement) {
  bool step = statement->kind == NODE_ASSIGN && statement->children[0]->kind != NODE_LOCAL;
  if (step && maker->labels < LABEL_COUNT && dice_chance(&maker->dice, 10))
    add(maker, block, leaf(maker, NODE_LABEL, maker->labels++, 0));
}

// A step of the thread's own before it may be stopped.
static void make_local_step(Maker *maker, Node *block, const Node *statement) {
  bool may_stop = statement->kind == NODE_ASSUME || statement->kind == NODE_SECTION;
  if (!may_stop || !dice_chance(&maker->dice, 30)) return;
  int local = (int)dice_below(&maker->dice, LOCAL_COUNT);
  Node *step = leaf(maker, NODE_ASSIGN, 0, 0);
  add(maker, step, leaf(maker, NODE_LOCAL, local, 0));
  add(maker, step, leaf(maker, NODE_CONSTANT, (int)dice_below(&maker->dice, 2), 0));
  add(maker, block, step);
  maker->set_locals |= 1u << local;
}

Node *make_block(Maker *maker, unsigned budget) {
  Node *block = leaf(maker, NODE_BLOCK, 0, 0);
  unsigned held = maker->held;
  while (budget > 0) {
    Node *statement = make_statement(maker, &budget);
    if (maker->lively) make_label(maker, block, statement);
    if (maker->lively) make_local_step(maker, block, statement);
    add(maker, block, statement);
  }
  maker->held = held;
  return block;
}
