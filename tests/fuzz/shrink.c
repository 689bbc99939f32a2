#include "fuzz/shrink.h"

#include "base/budget.h"
#include "base/vector.h"

#include <assert.h>

// --- edits: number `edit` of a node, on a copy of the tree ---

typedef enum Edited { EDIT_NONE_LEFT, EDIT_USELESS, EDIT_DONE } Edited;

// Removes chunks of a block, larger ones first. Subtracts from `edit` what it passes over.
static bool remove_chunk(Node *block, unsigned *edit) {
  for (unsigned size = block->count; size > 0; size /= 2) {
    unsigned chunks = (block->count + size - 1) / size;
    if (*edit < chunks) {
      unsigned first = *edit * size, left = block->count - first;
      node_remove(block, first, size < left ? size : left);
      return true;
    }
    *edit -= chunks;
  }
  return false;
}

// Puts the statements of an inner block in place of the statement around it.
static bool unwrap_statement(Arena *arena, Node *block, unsigned *edit) {
  for (unsigned i = 0; i < block->count; i++) {
    const Node *statement = block->children[i];
    for (unsigned j = 0; j < statement->count; j++) {
      const Node *inner = statement->children[j];
      if (inner->kind != NODE_BLOCK || (*edit)-- > 0) continue;
      Node *result = node_new(arena, NODE_BLOCK, 0, 0, 0);
      for (unsigned k = 0; k < i; k++) node_add(arena, result, block->children[k]);
      for (unsigned k = 0; k < inner->count; k++) node_add(arena, result, inner->children[k]);
      for (unsigned k = i + 1; k < block->count; k++) node_add(arena, result, block->children[k]);
      *block = *result;
      return true;
    }
  }
  return false;
}

static void become(Arena *arena, Node *node, NodeKind kind, int n0) { *node = *node_new(arena, kind, n0, 0, 0); }

static Edited edit_expression(Arena *arena, Node *node, unsigned edit) {
  if (edit < node->count) {
    *node = *node->children[edit];
    return EDIT_DONE;
  }
  switch (edit - node->count) {
  case 0: become(arena, node, NODE_CONSTANT, 0); return EDIT_DONE;
  case 1: become(arena, node, NODE_CONSTANT, 1); return EDIT_DONE;
  case 2: become(arena, node, NODE_GLOBAL, 0); return EDIT_DONE;
  case 3: become(arena, node, NODE_LOCAL, 0); return EDIT_DONE;
  case 4:
    if (node->kind != NODE_GLOBAL) return EDIT_USELESS;
    become(arena, node, NODE_GLOBAL, 1);
    return EDIT_DONE;
  default: return EDIT_NONE_LEFT;
  }
}

static Edited edit_formula(Arena *arena, Node *node, unsigned edit) {
  if (node->kind == NODE_TRUTH) return EDIT_NONE_LEFT;
  if (edit < 2) {
    become(arena, node, NODE_TRUTH, (int)edit);
    return EDIT_DONE;
  }
  edit -= 2;
  if (node->kind == NODE_AT && edit == 0 && node->n[1]) {
    node->n[1] = 0;
    return EDIT_DONE;
  }
  if (node->kind == NODE_ATOM || edit >= node->count) return EDIT_NONE_LEFT;
  *node = *node->children[edit];
  return EDIT_DONE;
}

// The statement with a plainer one in its place.
static Edited plainer_statement(Node *node) {
  switch (node->kind) {
  case NODE_UPDATE: node->kind = NODE_ASSIGN; return EDIT_DONE;
  case NODE_AWAIT: node->children[0] = node->children[1]; // fall through
  case NODE_TRYLOCK:
  case NODE_SPIN:
    node->kind = NODE_LOCKED;
    node->n[0] = node->n[1] = 0;
    node->count = 1;
    return EDIT_DONE;
  case NODE_LOCKED:
    node->kind = NODE_SECTION;
    node->n[0] = 0;
    return EDIT_DONE;
  default: return EDIT_USELESS;
  }
}

static Edited edit_statement(Node *node, unsigned edit) {
  if (edit == 0) return plainer_statement(node);
  unsigned at = edit - 1;
  if (at >= 3) return EDIT_NONE_LEFT;
  int plain = node->kind == NODE_FOR && at == 0 ? 1 : 0;
  bool fixed = node->kind == NODE_SPIN && at == 0; // names an atomic variable
  fixed |= (node->kind == NODE_CREATE || node->kind == NODE_FOR) && at < 2 && plain == 0;
  fixed |= node->kind == NODE_JOIN || node->kind == NODE_LABEL;
  if (fixed || node->n[at] == plain) return EDIT_USELESS;
  node->n[at] = plain;
  return EDIT_DONE;
}

static Edited edit_node(Arena *arena, Node *node, unsigned edit) {
  switch (node_class(node->kind)) {
  case 'B': return remove_chunk(node, &edit) || unwrap_statement(arena, node, &edit) ? EDIT_DONE : EDIT_NONE_LEFT;
  case 'S': return edit_statement(node, edit);
  case 'F': return edit_formula(arena, node, edit);
  default: return edit_expression(arena, node, edit);
  }
}

static Edited edit_declaration(Tree *tree, unsigned edit) {
  if (edit < GLOBAL_COUNT) {
    if (!tree->initial[edit]) return EDIT_USELESS;
    tree->initial[edit] = 0;
    return EDIT_DONE;
  }
  edit -= GLOBAL_COUNT;
  if (edit == POINTER_COUNT) {
    if (!tree->fair) return EDIT_USELESS;
    tree->fair = false;
    return EDIT_DONE;
  }
  if (edit > POINTER_COUNT) return EDIT_NONE_LEFT;
  if (tree->pointer_targets[edit] == TARGET_GLOBAL) return EDIT_USELESS;
  tree->pointer_targets[edit] = TARGET_GLOBAL;
  return EDIT_DONE;
}

// --- the search ---

typedef struct Search {
  Shrinker *shrinker;
  Tree *tree;      // the best so far
  Arena *keep;     // its nodes
  Arena candidate; // nodes of the tree that is being tried
  U64Vector tried; // hashes of sources
  double deadline;
} Search;

static uint64_t hash_text(const Text *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < text->length; i++) hash = (hash ^ (unsigned char)text->data[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static bool is_new(Search *search, const Text *source) {
  uint64_t hash = hash_text(source);
  for (size_t i = 0; i < search->tried.count; i++)
    if (search->tried.data[i] == hash) return false;
  U64Vector_push(&search->tried, hash);
  return true;
}

// Node number `index` in preorder, or NULL; counts down.
static Node *find_node(Node *node, unsigned *index) {
  if ((*index)-- == 0) return node;
  for (unsigned i = 0; i < node->count; i++) {
    Node *found = find_node(node->children[i], index);
    if (found) return found;
  }
  return NULL;
}

static Node *find_in_tree(const Tree *tree, unsigned index) {
  for (unsigned i = 0; i < tree->body_count; i++) {
    if (!tree_reaches(tree, i)) continue;
    Node *found = find_node(tree->bodies[i], &index);
    if (found) return found;
  }
  return tree->formula ? find_node(tree->formula, &index) : NULL;
}

// What is tried: the program, and the formula behind it.
static void print_all(const Tree *tree, Text *source, Text *both) {
  tree_print(tree, source);
  text_add(both, source->data);
  if (!tree->formula) return;
  tree_print_formula(tree, source->data, 0, both);
  if (tree->fair) text_add(both, " (fair)");
}

// Adopts the edited copy if it is lighter, valid, new, and still fails.
static bool adopt(Search *search, Tree *edited) {
  tree_tidy(edited);
  if (!tree_valid(edited) || tree_weight(edited) >= tree_weight(search->tree)) return false;
  Text source, both;
  text_init(&source, NULL);
  text_init(&both, NULL);
  print_all(edited, &source, &both);
  bool adopted = is_new(search, &both);
  if (adopted) {
    search->shrinker->tests++;
    adopted = search->shrinker->still_fails(search->shrinker->context, edited, source.data);
  }
  text_free(&source);
  text_free(&both);
  if (adopted) tree_copy(search->keep, search->tree, edited);
  return adopted;
}

// Tries all edits of one node (or of the declarations, for NULL's number); true if the tree changed.
static bool improve_at(Search *search, unsigned index, bool declarations) {
  for (unsigned edit = 0; clock_now() < search->deadline; edit++) {
    arena_free(&search->candidate);
    arena_init(&search->candidate, NULL);
    Tree edited;
    tree_copy(&search->candidate, &edited, search->tree);
    Node *node = declarations ? NULL : find_in_tree(&edited, index);
    Edited done = declarations ? edit_declaration(&edited, edit) : edit_node(&search->candidate, node, edit);
    if (done == EDIT_NONE_LEFT) return false;
    if (done == EDIT_DONE && adopt(search, &edited)) return true;
  }
  return false;
}

void shrink(Shrinker *shrinker, Arena *arena, Tree *tree) {
  Search search = {.shrinker = shrinker, .tree = tree, .keep = arena, .deadline = clock_now() + shrinker->seconds};
  arena_init(&search.candidate, NULL);
  U64Vector_init(&search.tried, NULL);
  bool changed = true;
  while (changed && clock_now() < search.deadline) {
    changed = false;
    for (unsigned i = 0; find_in_tree(tree, i) && clock_now() < search.deadline; i++)
      while (find_in_tree(tree, i) && improve_at(&search, i, false)) changed = true;
    while (improve_at(&search, 0, true)) changed = true;
  }
  U64Vector_free(&search.tried);
  arena_free(&search.candidate);
}
