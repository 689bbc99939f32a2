// The store: nodes, hash-consing, inspection.
#include "term/term_internal.h"

enum { FIRST_TABLE = 1024, FALSE_HANDLE = 1, TRUE_HANDLE = 2 };

static uint32_t hash_words(TermOperator op, Sort sort, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t head = (uint64_t)op << 32 | sort;
  uint64_t hash = (head ^ a << 17) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 29 ^ b) * UINT64_C(0xbf58476d1ce4e5b9);
  hash = (hash ^ hash >> 32 ^ c) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(hash >> 32);
}

TermStore *term_store_new(Account *account) {
  TermStore *store = memory_allocate_zeroed(account, sizeof *store);
  store->account = account;
  NodeVector_init(&store->nodes, account);
  BitsVector_init(&store->wide, account);
  TermVector_init(&store->variables, account);
  StringVector_init(&store->names, account);
  arena_init(&store->arena, account);
  store->table_capacity = FIRST_TABLE;
  store->table = memory_allocate_zeroed(account, FIRST_TABLE * sizeof(Term));
  store->scratch = memory_allocate_zeroed(account, sizeof *store->scratch);
  NodeVector_push(&store->nodes, (TermNode){0});
  Term false_term = term_constant(store, 1, 0), true_term = term_constant(store, 1, 1);
  assert(false_term == FALSE_HANDLE && true_term == TRUE_HANDLE);
  (void)false_term, (void)true_term;
  return store;
}

void term_store_free(TermStore *store) {
  if (!store) return;
  Account *account = store->account;
  Scratch *scratch = store->scratch;
  assert(!scratch->busy);
  memory_free(account, scratch->stamps, scratch->capacity * sizeof(uint32_t));
  memory_free(account, scratch->values, scratch->capacity * sizeof(uint32_t));
  memory_free(account, scratch, sizeof *scratch);
  memory_free(account, store->table, store->table_capacity * sizeof(Term));
  NodeVector_free(&store->nodes);
  BitsVector_free(&store->wide);
  TermVector_free(&store->variables);
  StringVector_free(&store->names);
  arena_free(&store->arena);
  memory_free(account, store, sizeof *store);
}

void term_store_inspect(TermStore *store, struct Inspection *inspection) { store->inspection = inspection; }

struct Inspection *term_store_inspection(const TermStore *store) { return store->inspection; }

size_t term_store_size(const TermStore *store) { return store->nodes.count - 1; }

size_t term_store_variable_count(const TermStore *store) { return store->variables.count; }

// --- hash-consing ---

static void grow_table(TermStore *store) {
  size_t capacity = store->table_capacity * 2, mask = capacity - 1;
  assert((capacity & mask) == 0);
  Term *table = memory_allocate_zeroed(store->account, capacity * sizeof(Term));
  for (size_t i = 0; i < store->table_capacity; i++) {
    Term t = store->table[i];
    if (!t) continue;
    size_t slot = store->nodes.data[t].hash & mask;
    while (table[slot]) slot = (slot + 1) & mask;
    table[slot] = t;
  }
  memory_free(store->account, store->table, store->table_capacity * sizeof(Term));
  store->table = table;
  store->table_capacity = capacity;
}

static Term append(TermStore *store, TermNode node) {
  size_t handle = store->nodes.count;
  if (handle >= UINT32_MAX) memory_exhausted(store->account, sizeof node); // handles have 32 bits
  NodeVector_push(&store->nodes, node);
  return (Term)handle;
}

static Term append_hashed(TermStore *store, size_t slot, TermNode node) {
  Term t = append(store, node);
  store->table[slot] = t;
  if (++store->table_count * 2 > store->table_capacity) grow_table(store);
  return t;
}

// The slot that holds the node, or the free slot where it belongs.
static size_t find_slot(const TermStore *store, TermOperator op, Sort sort, const uint32_t words[3], uint32_t hash) {
  size_t mask = store->table_capacity - 1, slot = hash & mask;
  for (Term t; (t = store->table[slot]) != TERM_NONE; slot = (slot + 1) & mask) {
    const TermNode *node = &store->nodes.data[t];
    if (node->hash == hash && node->op == op && node->sort == sort && node->words[0] == words[0] &&
        node->words[1] == words[1] && node->words[2] == words[2])
      break;
  }
  return slot;
}

Term find_node(const TermStore *store, TermOperator op, Sort sort, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t words[3] = {a, b, c};
  return store->table[find_slot(store, op, sort, words, hash_words(op, sort, a, b, c))];
}

static uint8_t flags_for(const TermStore *store, TermOperator op, Sort sort, const uint32_t words[3]) {
  uint8_t flags = op >= TERM_FP_ADD ? FLAG_FLOATING_POINT : 0;
  if (sort_is_array(sort)) flags |= FLAG_ARRAY;
  for (unsigned i = 0; i < arity_of_operator(op); i++) flags |= node_of(store, words[i])->flags;
  return flags;
}

Term make_node(TermStore *store, TermOperator op, Sort sort, uint32_t a, uint32_t b, uint32_t c) {
  assert(op != TERM_CONSTANT && op != TERM_VARIABLE);
  uint32_t words[3] = {a, b, c};
  uint32_t hash = hash_words(op, sort, a, b, c);
  size_t slot = find_slot(store, op, sort, words, hash);
  if (store->table[slot]) return store->table[slot];
  assert(sort != 0);
  TermNode node = {.op = (uint8_t)op, .sort = sort, .words = {a, b, c}, .hash = hash};
  node.flags = flags_for(store, op, sort, words);
  return append_hashed(store, slot, node);
}

// --- constants and variables ---

static Term wide_constant(TermStore *store, unsigned width, Bits value) {
  uint32_t hash = hash_words(TERM_CONSTANT, width, (uint64_t)value, (uint64_t)(value >> 64), 0);
  size_t mask = store->table_capacity - 1, slot = hash & mask;
  for (Term t; (t = store->table[slot]) != TERM_NONE; slot = (slot + 1) & mask) {
    const TermNode *node = &store->nodes.data[t];
    if (node->hash == hash && node->op == TERM_CONSTANT && node->sort == width &&
        store->wide.data[node->words[0]] == value)
      return t;
  }
  TermNode node = {.op = TERM_CONSTANT, .sort = width, .words = {(uint32_t)store->wide.count}, .hash = hash};
  BitsVector_push(&store->wide, value);
  return append_hashed(store, slot, node);
}

Term term_constant(TermStore *store, unsigned width, Bits value) {
  value &= bits_mask(width);
  if (width > 64) return wide_constant(store, sort_bits(width), value);
  uint32_t words[3] = {(uint32_t)value, (uint32_t)(value >> 32), 0};
  uint32_t hash = hash_words(TERM_CONSTANT, sort_bits(width), words[0], words[1], 0);
  size_t slot = find_slot(store, TERM_CONSTANT, width, words, hash);
  if (store->table[slot]) return store->table[slot];
  TermNode node = {.op = TERM_CONSTANT, .sort = width, .words = {words[0], words[1]}, .hash = hash};
  return append_hashed(store, slot, node);
}

Term term_true(TermStore *store) {
  (void)store;
  return TRUE_HANDLE;
}

Term term_false(TermStore *store) {
  (void)store;
  return FALSE_HANDLE;
}

Term term_bool(TermStore *store, bool value) { return value ? term_true(store) : term_false(store); }

Term term_variable(TermStore *store, Sort sort, const char *name) {
  assert(sort_is_array(sort) || (sort >= 1 && sort <= 128));
  TermNode node = {.op = TERM_VARIABLE, .sort = sort, .words = {(uint32_t)store->variables.count}};
  if (sort_is_array(sort)) node.flags = FLAG_ARRAY;
  Term t = append(store, node); // not in the table: each variable is new
  TermVector_push(&store->variables, t);
  StringVector_push(&store->names, arena_string(&store->arena, name));
  return t;
}

// --- inspection ---

TermOperator term_operator(const TermStore *store, Term t) { return operator_of(store, t); }

unsigned term_arity(const TermStore *store, Term t) { return arity_of_operator(operator_of(store, t)); }

Term term_child(const TermStore *store, Term t, unsigned i) {
  assert(i < term_arity(store, t));
  return child_of(store, t, i);
}

Sort term_sort(const TermStore *store, Term t) { return node_of(store, t)->sort; }

unsigned term_width(const TermStore *store, Term t) { return width_of(store, t); }

unsigned term_parameter(const TermStore *store, Term t, unsigned i) {
  assert(is_operator(store, t, TERM_EXTRACT) && i < 2);
  return node_of(store, t)->words[1 + i];
}

bool term_is_constant(const TermStore *store, Term t) { return is_constant(store, t); }

Bits term_constant_value(const TermStore *store, Term t) {
  const TermNode *node = node_of(store, t);
  assert(node->op == TERM_CONSTANT);
  if (node->sort > 64) return *BitsVector_at(&store->wide, node->words[0]);
  return (uint64_t)node->words[1] << 32 | node->words[0];
}

bool term_is_true(const TermStore *store, Term t) {
  (void)store;
  return t == TRUE_HANDLE;
}

bool term_is_false(const TermStore *store, Term t) {
  (void)store;
  return t == FALSE_HANDLE;
}

uint32_t term_variable_index(const TermStore *store, Term t) {
  assert(is_operator(store, t, TERM_VARIABLE));
  return node_of(store, t)->words[0];
}

Term term_variable_by_index(const TermStore *store, uint32_t index) { return *TermVector_at(&store->variables, index); }

const char *term_variable_name(const TermStore *store, Term t) {
  return *StringVector_at(&store->names, term_variable_index(store, t));
}

const char *term_operator_name(TermOperator op) {
  static const char *const names[] = {
#define X(name, text, arity) text,
      TERM_OPERATORS(X)
#undef X
  };
  assert(op < TERM_OPERATOR_COUNT);
  return names[op];
}

bool term_has_floating_point(const TermStore *store, Term t) { return node_of(store, t)->flags & FLAG_FLOATING_POINT; }

bool term_has_array(const TermStore *store, Term t) { return node_of(store, t)->flags & FLAG_ARRAY; }

// --- marks for traversals ---

void memo_begin(Memo *memo, const TermStore *store) {
  Scratch *scratch = store->scratch;
  *memo = (Memo){.store = store, .shared = !scratch->busy};
  map_init(&memo->map, store->account);
  if (!memo->shared) return;
  scratch->busy = true;
  if (scratch->capacity < store->nodes.count) {
    // Old stamps mean nothing any more, so the new arrays start from scratch.
    size_t capacity = store->nodes.capacity;
    memory_free(store->account, scratch->stamps, scratch->capacity * sizeof(uint32_t));
    memory_free(store->account, scratch->values, scratch->capacity * sizeof(uint32_t));
    scratch->stamps = memory_allocate_zeroed(store->account, capacity * sizeof(uint32_t));
    scratch->values = memory_allocate(store->account, capacity * sizeof(uint32_t));
    scratch->capacity = capacity;
    scratch->epoch = 0;
  }
  if (++scratch->epoch == 0) { // all epochs are used up: begin again
    memset(scratch->stamps, 0, scratch->capacity * sizeof(uint32_t));
    scratch->epoch = 1;
  }
}

void memo_end(Memo *memo) {
  if (memo->shared) memo->store->scratch->busy = false;
  map_free(&memo->map);
}
