#include "base/trie.h"

#include "base/map.h"

enum { FIRST_SLOTS = 1024 };

void trie_table_init(TrieTable *table, Account *account) {
  TrieNodeVector_init(&table->nodes, account);
  TrieNodeVector_push(&table->nodes, (TrieNode){0});
  U32Vector_init(&table->slots, account);
  U32Vector_resize(&table->slots, FIRST_SLOTS);
}

void trie_table_free(TrieTable *table) {
  U32Vector_free(&table->slots);
  TrieNodeVector_free(&table->nodes);
}

static TrieNode node_of(const TrieTable *table, Trie trie) { return *TrieNodeVector_at(&table->nodes, trie); }

// --- interning ---

static bool are_equal(TrieNode a, TrieNode b) {
  return a.key == b.key && a.bit == b.bit && a.left == b.left && a.right == b.right;
}

// The slot that has the node, or the free one where it belongs.
static size_t find_slot(const TrieTable *table, TrieNode node) {
  size_t mask = table->slots.count - 1;
  uint64_t hash = hash_mix((uint64_t)node.key << 32 | node.bit) ^ ((uint64_t)node.left << 32 | node.right);
  size_t slot = hash_mix(hash) & mask;
  while (table->slots.data[slot] != 0 && !are_equal(node_of(table, table->slots.data[slot]), node))
    slot = (slot + 1) & mask;
  return slot;
}

static void grow_slots(TrieTable *table) {
  size_t count = 2 * table->slots.count;
  U32Vector_clear(&table->slots);
  U32Vector_resize(&table->slots, count);
  for (Trie t = 1; t < table->nodes.count; t++) table->slots.data[find_slot(table, node_of(table, t))] = t;
}

static Trie intern_node(TrieTable *table, TrieNode node) {
  size_t slot = find_slot(table, node);
  if (table->slots.data[slot] != 0) return table->slots.data[slot];
  Trie made = (Trie)table->nodes.count;
  TrieNodeVector_push(&table->nodes, node);
  table->slots.data[slot] = made;
  if (table->nodes.count * 2 > table->slots.count) grow_slots(table);
  return made;
}

// --- the shape ---

static uint32_t above(uint32_t key, uint32_t bit) { return key & ~(bit | (bit - 1)); } // the bits above `bit`

// May the node have this key in it?
static bool may_hold(TrieNode node, uint32_t key) {
  return node.bit == 0 ? node.key == key : above(key, node.bit) == node.key;
}

static Trie make_branch(TrieTable *table, uint32_t key, uint32_t bit, Trie left, Trie right) {
  if (left == TRIE_EMPTY) return right;
  if (right == TRIE_EMPTY) return left;
  return intern_node(table, (TrieNode){.key = above(key, bit), .bit = bit, .left = left, .right = right});
}

// A leaf and a map that cannot hold its key.
static Trie put_beside(TrieTable *table, Trie trie, Trie leaf) {
  uint32_t key = node_of(table, leaf).key, other = node_of(table, trie).key;
  uint32_t bit = UINT32_C(1) << (31 - __builtin_clz(key ^ other));
  return key & bit ? make_branch(table, key, bit, trie, leaf) : make_branch(table, key, bit, leaf, trie);
}

Trie trie_put(TrieTable *table, Trie trie, uint32_t key, uint32_t value) {
  TrieNode node = node_of(table, trie);
  if (trie != TRIE_EMPTY && node.bit != 0 && may_hold(node, key)) {
    Trie left = key & node.bit ? node.left : trie_put(table, node.left, key, value);
    Trie right = key & node.bit ? trie_put(table, node.right, key, value) : node.right;
    return make_branch(table, key, node.bit, left, right);
  }
  bool there = trie != TRIE_EMPTY && may_hold(node, key); // a leaf
  if (value == 0) return there ? (Trie)TRIE_EMPTY : trie;
  Trie leaf = intern_node(table, (TrieNode){.key = key, .left = value});
  return trie == TRIE_EMPTY || there ? leaf : put_beside(table, trie, leaf);
}

Trie trie_put_all(TrieTable *table, Trie trie, const TrieEntry *entries, size_t count) {
  if (count == 0) return trie;
  if (count == 1) return trie_put(table, trie, entries[0].key, entries[0].value);
  TrieNode node = node_of(table, trie);
  uint32_t key = entries[0].key, different = key ^ entries[count - 1].key;
  if (trie != TRIE_EMPTY) different |= node.bit == 0 ? key ^ node.key : above(key ^ node.key, node.bit);
  uint32_t bit = UINT32_C(1) << (31 - __builtin_clz(different));
  Trie left = TRIE_EMPTY, right = TRIE_EMPTY;
  if (trie != TRIE_EMPTY && node.bit >= bit) { // all keys are within the branch
    bit = node.bit;
    left = node.left;
    right = node.right;
  } else if (node.key & bit) {
    right = trie;
  } else {
    left = trie;
  }
  size_t middle = 0;
  while (middle < count && !(entries[middle].key & bit)) middle++;
  left = trie_put_all(table, left, entries, middle);
  right = trie_put_all(table, right, entries + middle, count - middle);
  return make_branch(table, key, bit, left, right);
}

uint32_t trie_get(const TrieTable *table, Trie trie, uint32_t key) {
  while (trie != TRIE_EMPTY) {
    TrieNode node = node_of(table, trie);
    if (node.bit == 0) return node.key == key ? node.left : 0;
    if (!may_hold(node, key)) return 0;
    trie = key & node.bit ? node.right : node.left;
  }
  return 0;
}

// --- comparing ---

typedef struct Comparison {
  const TrieTable *table;
  TrieVisit visit;
  void *context;
} Comparison;

static void compare(const Comparison *c, Trie a, Trie b);

// Both sides of a branch with what of the other map belongs there.
static void compare_sides(const Comparison *c, TrieNode branch, Trie left, Trie right, bool swapped) {
  compare(c, swapped ? left : branch.left, swapped ? branch.left : left);
  compare(c, swapped ? right : branch.right, swapped ? branch.right : right);
}

static void compare_leaves(const Comparison *c, TrieNode a, TrieNode b) {
  if (a.key == b.key) {
    c->visit(c->context, a.key, a.left, b.left);
    return;
  }
  if (a.key < b.key) c->visit(c->context, a.key, a.left, 0);
  c->visit(c->context, b.key, 0, b.left);
  if (a.key > b.key) c->visit(c->context, a.key, a.left, 0);
}

static void compare(const Comparison *c, Trie a, Trie b) {
  if (a == b) return;
  TrieNode x = node_of(c->table, a), y = node_of(c->table, b);
  if (a == TRIE_EMPTY || b == TRIE_EMPTY) {
    TrieNode only = a == TRIE_EMPTY ? y : x;
    if (only.bit != 0)
      compare_sides(c, only, TRIE_EMPTY, TRIE_EMPTY, a == TRIE_EMPTY);
    else
      c->visit(c->context, only.key, x.left, y.left); // the empty map's node is all 0
  } else if (x.bit == 0 && y.bit == 0) {
    compare_leaves(c, x, y);
  } else if (x.bit == y.bit && x.key == y.key) {
    compare_sides(c, x, y.left, y.right, false);
  } else if (x.bit > y.bit && may_hold(x, y.key)) {
    compare_sides(c, x, y.key & x.bit ? (Trie)TRIE_EMPTY : b, y.key & x.bit ? b : (Trie)TRIE_EMPTY, false);
  } else if (y.bit > x.bit && may_hold(y, x.key)) {
    compare_sides(c, y, x.key & y.bit ? (Trie)TRIE_EMPTY : a, x.key & y.bit ? a : (Trie)TRIE_EMPTY, true);
  } else {
    bool first = x.key < y.key; // they have no keys in common, and those of one come before all of the other's
    if (first) compare(c, a, TRIE_EMPTY);
    compare(c, TRIE_EMPTY, b);
    if (!first) compare(c, a, TRIE_EMPTY);
  }
}

void trie_compare(const TrieTable *table, Trie a, Trie b, TrieVisit visit, void *context) {
  Comparison comparison = {.table = table, .visit = visit, .context = context};
  compare(&comparison, a, b);
}
