#include "fuzz/generate.h"

#include "fuzz/maker.h"

// How the threads of the program come to be.
typedef struct Create {
  int routine;
  unsigned creator; // body that creates it
  int argument;
} Create;

static void pick_features(Maker *maker) {
  static const unsigned char percents[FEATURE_COUNT] = {
#define X(name, percent) percent,
      FEATURES(X)
#undef X
  };
  for (unsigned i = 0; i < FEATURE_COUNT; i++)
    if (dice_chance(&maker->dice, percents[i])) maker->features |= 1u << i;
}

// Weights of the shared variables: plain ones first, atomic ones and members when their feature is on.
static unsigned char global_weight(const Maker *maker, unsigned global) {
  enum { PLAIN = 5, SMALL = 8, ATOMIC = 11, OWN = 12 };
  bool atomics = maker_has(maker, FEATURE_ATOMICS), structures = maker_has(maker, FEATURE_STRUCTURES);
  if (global < 2) return 40;
  if (global < PLAIN) return 15;
  if (global < SMALL) return 8;
  if (global < ATOMIC) return atomics ? 30 : 3;
  if (global < OWN) return 3;
  return structures ? 20 : 0;
}

static void pick_palette(Maker *maker) {
  unsigned char weights[GLOBAL_COUNT];
  for (unsigned i = 0; i < GLOBAL_COUNT; i++) weights[i] = global_weight(maker, i);
  static const unsigned char counts[] = {45, 40, 15}; // few variables are fought for
  unsigned count = 2 + dice_weighted(&maker->dice, counts, sizeof counts);
  while (maker->palette_count < count) {
    unsigned global = dice_weighted(&maker->dice, weights, GLOBAL_COUNT);
    weights[global] = 0;
    maker->palette[maker->palette_count++] = (int)global;
    if (tree_globals[global].initialised && dice_chance(&maker->dice, 15))
      maker->tree->initial[global] = 1 + (int)dice_below(&maker->dice, 2);
  }
  maker->tree->initial[GLOBAL_FLAG] &= 1;
  for (unsigned i = 0; i < GLOBAL_COUNT; i++) maker->values[i] = 1u << maker->tree->initial[i];
  for (unsigned i = 0; i < POINTER_COUNT; i++) {
    int target = make_target(maker);
    maker->tree->pointer_targets[i] = target >= TARGET_LOCAL ? TARGET_GLOBAL : target; // no local outlives main
  }
}

// Which threads there are. Returns their number; routines are numbered from 1.
static unsigned pick_creates(Maker *maker, Create creates[MOST_ROUTINES]) {
  static const unsigned char weights[] = {12, 55, 33};
  unsigned count = 1 + dice_weighted(&maker->dice, weights, sizeof weights);
  int routines = 0;
  bool equal = maker_has(maker, FEATURE_EQUAL_THREADS);
  bool told_apart = !equal || dice_chance(&maker->dice, 30); // by their arguments
  if (equal && count == 1) count++;
  for (unsigned i = 0; i < count; i++) {
    bool again = routines > 0 && (equal || dice_chance(&maker->dice, 15));
    if (!again) routines++;
    creates[i] = (Create){.routine = routines, .creator = 0, .argument = told_apart ? (int)i : 1};
    // The creator must run once only, and be an earlier routine.
    bool nested = maker_has(maker, FEATURE_NESTED_CREATES) && !again && i > 0 && dice_chance(&maker->dice, 70);
    if (nested && creates[i - 1].routine == (int)i) creates[i].creator = i;
  }
  maker->tree->body_count = 1 + (unsigned)routines;
  return count;
}

static void insert(Maker *maker, Node *block, unsigned at, Node *statement) {
  node_add(maker->arena, block, statement);
  for (unsigned i = block->count - 1; i > at; i--) block->children[i] = block->children[i - 1];
  block->children[at] = statement;
}

static Node *make_join(Maker *maker, int handle) {
  Node *join = node_new(maker->arena, NODE_JOIN, handle, 0, 0);
  if (!dice_chance(&maker->dice, 8)) return join;
  Node *conditional = node_new(maker->arena, NODE_IF, 0, 0, 0), *block = node_new(maker->arena, NODE_BLOCK, 0, 0, 0);
  node_add(maker->arena, conditional, make_condition(maker, 0));
  node_add(maker->arena, block, join);
  node_add(maker->arena, conditional, block);
  node_add(maker->arena, conditional, node_new(maker->arena, NODE_BLOCK, 0, 0, 0));
  return conditional;
}

static void add_some(Maker *maker, Node *block, unsigned most) {
  for (unsigned left = dice_below(&maker->dice, most + 1); left > 0;)
    node_add(maker->arena, block, make_statement(maker, &left));
}

// Threads that go round for ever: while (1) around most of the block.
static Node *make_round(Maker *maker, unsigned budget) {
  Node *loop = node_new(maker->arena, NODE_WHILE, 0, 0, 0);
  maker->endless = true;
  node_add(maker->arena, loop, node_new(maker->arena, NODE_CONSTANT, 1, 0, 0));
  node_add(maker->arena, loop, make_block(maker, budget));
  maker->endless = false;
  return loop;
}

static Node *make_endless(Maker *maker, unsigned budget) {
  Node *block = node_new(maker->arena, NODE_BLOCK, 0, 0, 0);
  if (budget > 1 && dice_chance(&maker->dice, 25)) {
    unsigned before = 1;
    node_add(maker->arena, block, make_statement(maker, &before));
    budget--;
  }
  node_add(maker->arena, block, make_round(maker, budget));
  return block;
}

// A section that creates threads.
static Node *open_section(Maker *maker) {
  Node *section = node_new(maker->arena, NODE_SECTION, 0, 0, 0);
  node_add(maker->arena, section, node_new(maker->arena, NODE_BLOCK, 0, 0, 0));
  maker->section = true;
  if (dice_chance(&maker->dice, 30)) add_some(maker, section->children[0], 1);
  return section;
}

static void close_section(Maker *maker, Node *section) {
  if (dice_chance(&maker->dice, 50)) add_some(maker, section->children[0], 2);
  maker->section = false;
}

static void make_routine(Maker *maker, unsigned body, const Create *creates, unsigned count, unsigned size) {
  maker->body = body;
  maker->set_locals = 0;
  // More threads, fewer statements each: the number of interleavings stays about the same.
  unsigned most = size > count ? size + 2 - count : 2;
  unsigned budget = 1 + dice_below(&maker->dice, most) + (most > 2);
  bool endless = maker->lively && dice_chance(&maker->dice, 55);
  Node *block = endless ? make_endless(maker, budget) : make_block(maker, budget);
  for (unsigned i = 0; i < count; i++) {
    if (creates[i].creator != body) continue;
    unsigned at = endless ? 0 : dice_below(&maker->dice, block->count + 1);
    Node *create = node_new(maker->arena, NODE_CREATE, creates[i].routine, (int)i, creates[i].argument);
    if (maker_has(maker, FEATURE_SECTIONS) && dice_chance(&maker->dice, 40)) {
      Node *section = open_section(maker);
      node_add(maker->arena, section->children[0], create);
      close_section(maker, section);
      create = section;
    }
    insert(maker, block, at, create);
    if (dice_chance(&maker->dice, 50) && !endless) node_add(maker->arena, block, make_join(maker, (int)i));
  }
  if (dice_chance(&maker->dice, 25) && !maker->lively) {
    Node *claim = node_new(maker->arena, NODE_ASSERT, 0, 0, 0);
    node_add(maker->arena, claim, make_assertion(maker));
    node_add(maker->arena, block, claim);
  }
  maker->tree->bodies[body] = block;
}

static void make_main(Maker *maker, const Create *creates, unsigned count, unsigned size) {
  maker->body = 0;
  maker->set_locals = 0;
  Node *block = node_new(maker->arena, NODE_BLOCK, 0, 0, 0);
  if (dice_chance(&maker->dice, 25)) add_some(maker, block, 2);
  Node *section = maker_has(maker, FEATURE_SECTIONS) && dice_chance(&maker->dice, 40) ? open_section(maker) : NULL;
  if (section) node_add(maker->arena, block, section);
  for (unsigned i = 0; i < count; i++) {
    if (creates[i].creator != 0) continue;
    Node *around = maker->section ? section->children[0] : block;
    node_add(maker->arena, around,
             node_new(maker->arena, NODE_CREATE, creates[i].routine, (int)i, creates[i].argument));
    if (dice_chance(&maker->dice, 15)) add_some(maker, around, 1);
    if (maker->section && dice_chance(&maker->dice, 25)) close_section(maker, section);
  }
  if (maker->section) close_section(maker, section);
  add_some(maker, block, count == 1 ? size : size / 2);
  for (Node *wanted = make_wanted(maker, 60); wanted; wanted = make_wanted(maker, 60))
    node_add(maker->arena, block, wanted);
  for (unsigned i = 0; i < count; i++)
    if (creates[i].creator == 0 && dice_chance(&maker->dice, 82))
      node_add(maker->arena, block, make_join(maker, (int)i));
  maker->held = 0;
  unsigned claims = 1 + dice_chance(&maker->dice, 30);
  if (maker->lively) claims = dice_chance(&maker->dice, 10);
  for (unsigned i = 0; i < claims; i++) {
    Node *claim = node_new(maker->arena, NODE_ASSERT, 0, 0, 0);
    node_add(maker->arena, claim, make_assertion(maker));
    node_add(maker->arena, block, claim);
  }
  if (maker_has(maker, FEATURE_ENDS) && dice_chance(&maker->dice, 30))
    node_add(maker->arena, block, node_new(maker->arena, NODE_END, END_PTHREAD_EXIT, 0, 0));
  if (maker->lively && dice_chance(&maker->dice, 15)) node_add(maker->arena, block, make_round(maker, 2));
  maker->tree->bodies[0] = block;
}

void generate(Arena *arena, Tree *tree, uint64_t seed, unsigned size, bool formula) {
  *tree = (Tree){0};
  Maker maker = {.dice = dice_new(seed), .arena = arena, .tree = tree, .lively = formula};
  Create creates[MOST_ROUTINES];
  pick_features(&maker);
  pick_palette(&maker);
  unsigned count = pick_creates(&maker, creates);
  for (unsigned i = 1; i < tree->body_count; i++) make_routine(&maker, i, creates, count, size);
  make_main(&maker, creates, count, size);
  if (formula) tree->formula = make_formula(&maker);
  tree->fair = formula && dice_chance(&maker.dice, 33);
  tree_tidy(tree);
  assert(tree_valid(tree));
}
