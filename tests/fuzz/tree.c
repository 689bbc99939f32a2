#include "fuzz/tree.h"

#include <assert.h>
#include <string.h>

#define PAIR "struct pair {\n  int first;\n  unsigned char second;\n} pair, spare"
#define BITS "struct {\n  unsigned low : 2;\n  unsigned high : 3;\n} bits"
#define MIXED "union {\n  unsigned short word;\n  unsigned char byte;\n} mixed"

const GlobalInfo tree_globals[GLOBAL_COUNT] = {
    {"x", GLOBAL_INT, "int x", true},
    {"y", GLOBAL_INT, "int y", true},
    {"z", GLOBAL_INT, "int z", true},
    {"u", GLOBAL_INT, "int u", true},
    {"v", GLOBAL_INT, "int v", true},
    {"small", GLOBAL_SMALL, "unsigned char small", true},
    {"tiny", GLOBAL_SMALL, "unsigned char tiny", true},
    {"flag", GLOBAL_SMALL, "_Bool flag", true},
    {"a", GLOBAL_ATOMIC, "_Atomic int a", true},
    {"b", GLOBAL_ATOMIC, "_Atomic int b", true},
    {"c", GLOBAL_ATOMIC_SMALL, "_Atomic unsigned char c", true},
    {"own", GLOBAL_SMALL, "_Thread_local int own", true},
    {"pair.first", GLOBAL_INT, PAIR, false},
    {"pair.second", GLOBAL_SMALL, PAIR, false},
    {"spare.first", GLOBAL_INT, PAIR, false},
    {"spare.second", GLOBAL_SMALL, PAIR, false},
    {"bits.low", GLOBAL_SMALL, BITS, false},
    {"bits.high", GLOBAL_SMALL, BITS, false},
    {"mixed.word", GLOBAL_SMALL, MIXED, false},
    {"mixed.byte", GLOBAL_SMALL, MIXED, false},
};
const char *const tree_operators[OPERATOR_COUNT] = {
    "+", "-", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||"};
const char *const tree_update_operators[UPDATE_OPERATOR_COUNT] = {"+=", "-=", "|=", "^="};
const char *const tree_unary_operators[UNARY_COUNT] = {"!", "G", "F", "X"};
const char *const tree_junctions[JUNCTION_COUNT] = {"&&", "||", "->", "U", "W", "R"};
const int tree_array_lengths[ARRAY_COUNT] = {3, 2};

char node_class(NodeKind kind) {
  static const char classes[] = {
#define X(kind, class, children) class,
      NODE_KINDS(X)
#undef X
  };
  return classes[kind];
}

const char *node_children(NodeKind kind) {
  static const char *const all[] = {
#define X(kind, class, children) children,
      NODE_KINDS(X)
#undef X
  };
  return all[kind];
}

Node *node_new(Arena *arena, NodeKind kind, int n0, int n1, int n2) {
  Node *node = arena_allocate_zeroed(arena, sizeof *node);
  *node = (Node){.kind = kind, .n = {n0, n1, n2}};
  return node;
}

void node_add(Arena *arena, Node *node, Node *child) {
  if (node->count == node->capacity) {
    node->capacity = node->capacity ? 2 * node->capacity : 4;
    Node **grown = arena_allocate(arena, node->capacity * sizeof *grown);
    for (unsigned i = 0; i < node->count; i++) grown[i] = node->children[i];
    node->children = grown;
  }
  node->children[node->count++] = child;
}

Node *node_copy(Arena *arena, const Node *node) {
  Node *copy = node_new(arena, node->kind, node->n[0], node->n[1], node->n[2]);
  for (unsigned i = 0; i < node->count; i++) node_add(arena, copy, node_copy(arena, node->children[i]));
  return copy;
}

void node_remove(Node *block, unsigned first, unsigned count) {
  assert(first + count <= block->count);
  for (unsigned i = first; i + count < block->count; i++) block->children[i] = block->children[i + count];
  block->count -= count;
}

unsigned node_weight(const Node *node) {
  unsigned weight = node_class(node->kind) == 'S' ? 6 : node->kind == NODE_BLOCK ? 0 : 3;
  switch (node->kind) {
  case NODE_CONSTANT: weight = 1; break;
  case NODE_GLOBAL:
  case NODE_LOCAL: weight = 2; break;
  case NODE_AWAIT:
  case NODE_SPIN:
  case NODE_TRYLOCK: weight = 8; break;
  case NODE_LOCKED: weight = 7; break;
  default: break;
  }
  for (unsigned i = 0; i < 3; i++) weight += node->n[i] != 0;
  if (node->kind == NODE_FOR) weight += (unsigned)node->n[0];
  for (unsigned i = 0; i < node->count; i++) weight += node_weight(node->children[i]);
  return weight;
}

void tree_copy(Arena *arena, Tree *to, const Tree *from) {
  *to = *from;
  for (unsigned i = 0; i < from->body_count; i++) to->bodies[i] = node_copy(arena, from->bodies[i]);
  if (from->formula) to->formula = node_copy(arena, from->formula);
}

unsigned tree_weight(const Tree *tree) {
  unsigned weight = 0;
  for (unsigned i = 0; i < tree->body_count; i++)
    if (tree_reaches(tree, i)) weight += node_weight(tree->bodies[i]);
  for (unsigned i = 0; i < GLOBAL_COUNT; i++) weight += tree->initial[i] != 0;
  for (unsigned i = 0; i < POINTER_COUNT; i++) weight += tree->pointer_targets[i] != TARGET_GLOBAL;
  if (tree->formula) weight += node_weight(tree->formula) + tree->fair;
  return weight;
}

static bool creates(const Node *node, int routine) {
  if (node->kind == NODE_CREATE && node->n[0] == routine) return true;
  for (unsigned i = 0; i < node->count; i++)
    if (creates(node->children[i], routine)) return true;
  return false;
}

bool tree_reaches(const Tree *tree, unsigned body) {
  if (body == 0) return true;
  for (unsigned i = 0; i < body; i++)
    if (creates(tree->bodies[i], (int)body) && tree_reaches(tree, i)) return true;
  return false;
}

// `created`: handles whose create stands before this place on every way to it. Returns those of the end.
static unsigned tidy_block(Node *block, unsigned created) {
  unsigned kept = 0;
  for (unsigned i = 0; i < block->count; i++) {
    Node *statement = block->children[i];
    if (statement->kind == NODE_JOIN && !(created >> statement->n[0] & 1)) continue;
    if (statement->kind == NODE_CREATE) created |= 1u << statement->n[1];
    for (unsigned j = 0; j < statement->count; j++) {
      if (statement->children[j]->kind != NODE_BLOCK) continue;
      unsigned inside = tidy_block(statement->children[j], created);
      if (statement->kind == NODE_SECTION) created = inside;
    }
    block->children[kept++] = statement;
  }
  block->count = kept;
  return created;
}

void tree_tidy(Tree *tree) {
  for (unsigned i = 0; i < tree->body_count; i++) tidy_block(tree->bodies[i], 0);
}

typedef struct Scope {
  unsigned body;
  unsigned loops; // depths of constant loops around this place
  bool section, loop;
  const Tree *formula_of; // not NULL: in the formula of this tree
} Scope;

static bool fits(char wanted, char given) { return wanted == given || (wanted == 'E' && given == 'P'); }

// Takes time, or leaves: not in an atomic section. (A section may wait for a mutex.)
static bool is_blocking(NodeKind kind) {
  switch (kind) {
  case NODE_WHILE:
  case NODE_LOCK:
  case NODE_AWAIT:
  case NODE_SPIN:
  case NODE_SECTION:
  case NODE_JOIN:
  case NODE_END: return true;
  default: return false;
  }
}

static bool has_label(const Node *node, int label) {
  bool has = node->kind == NODE_LABEL && node->n[0] == label;
  for (unsigned i = 0; i < node->count && !has; i++) has = has_label(node->children[i], label);
  return has;
}

// A formula speaks of what is shared, and changes nothing.
static bool valid_in_formula(const Node *node, const Tree *tree) {
  switch (node->kind) {
  case NODE_AT: {
    bool has = false;
    for (unsigned i = 0; i < tree->body_count; i++)
      has |= tree_reaches(tree, i) && has_label(tree->bodies[i], node->n[0]);
    return has;
  }
  case NODE_GLOBAL: return node->n[0] != GLOBAL_OWN;
  case NODE_ELEMENT: return node->children[0]->kind == NODE_CONSTANT;
  case NODE_POINTS_TO: return node->n[1] < TARGET_LOCAL;
  case NODE_CONSTANT:
  case NODE_BINARY:
  case NODE_LIST_FILLED: return true;
  default: return node_class(node->kind) == 'F';
  }
}

// A label stands before a step.
static bool valid_labels(const Node *block) {
  for (unsigned i = 0; i < block->count; i++) {
    if (block->children[i]->kind != NODE_LABEL) continue;
    NodeKind next = i + 1 < block->count ? block->children[i + 1]->kind : NODE_LABEL;
    if (next != NODE_ASSIGN && next != NODE_UPDATE) return false;
  }
  return true;
}

static bool valid_here(const Node *node, const Scope *scope) {
  if (scope->formula_of) return valid_in_formula(node, scope->formula_of);
  switch (node->kind) {
  case NODE_BLOCK: return valid_labels(node);
  case NODE_LOOP_VARIABLE: return scope->loops >> node->n[0] & 1;
  case NODE_ARGUMENT: return scope->body != 0;
  case NODE_CREATE: return !scope->loop && node->n[0] > (int)scope->body;
  case NODE_POINT:
  case NODE_POINTS_TO: return node->n[1] < TARGET_LOCAL || scope->body == 0;
  default: return true;
  }
}

static bool valid_node(const Node *node, Scope scope) {
  if ((scope.section && is_blocking(node->kind)) || !valid_here(node, &scope)) return false;
  scope.section |= node->kind == NODE_SECTION;
  scope.loop |= node->kind == NODE_FOR || node->kind == NODE_WHILE;
  if (node->kind == NODE_FOR) scope.loops |= 1u << node->n[1];
  const char *wanted = node_children(node->kind);
  if (node->kind != NODE_BLOCK && node->count != strlen(wanted)) return false;
  for (unsigned i = 0; i < node->count; i++) {
    char child_class = node->kind == NODE_BLOCK ? 'S' : wanted[i];
    if (!fits(child_class, node_class(node->children[i]->kind)) || !valid_node(node->children[i], scope)) return false;
  }
  return true;
}

bool tree_valid(const Tree *tree) {
  for (unsigned i = 0; i < tree->body_count; i++)
    if (tree->bodies[i]->kind != NODE_BLOCK || !valid_node(tree->bodies[i], (Scope){.body = i})) return false;
  if (!tree->formula) return true;
  return node_class(tree->formula->kind) == 'F' && valid_node(tree->formula, (Scope){.formula_of = tree});
}
