#include "ltl/formula.h"

#include <assert.h>

static Ltl make(LtlStore *store, LtlOperator kind, uint32_t left, uint32_t right) {
  uint64_t key = (uint64_t)kind << 60 | (uint64_t)left << 30 | right;
  assert(left < 1u << 30 && right < 1u << 30);
  uint64_t known = map_get_or(&store->unique, key, UINT32_MAX);
  if (known != UINT32_MAX) return (Ltl)known;
  LtlNodeVector_push(&store->nodes, (LtlNode){kind, left, right});
  U32Vector_push(&store->negations, LTL_NONE);
  Ltl made = (Ltl)store->nodes.count - 1;
  map_put(&store->unique, key, made);
  return made;
}

void ltl_store_init(LtlStore *store, Account *account) {
  LtlNodeVector_init(&store->nodes, account);
  U32Vector_init(&store->negations, account);
  map_init(&store->unique, account);
  make(store, LTL_FALSE, 0, 0);
  make(store, LTL_TRUE, 0, 0);
}

void ltl_store_free(LtlStore *store) {
  map_free(&store->unique);
  U32Vector_free(&store->negations);
  LtlNodeVector_free(&store->nodes);
}

Ltl ltl_false(const LtlStore *store) {
  (void)store;
  return 0;
}

Ltl ltl_true(const LtlStore *store) {
  (void)store;
  return 1;
}

static bool is_false(Ltl a) { return a == 0; }
static bool is_true(Ltl a) { return a == 1; }

Ltl ltl_atom(LtlStore *store, uint32_t atom) { return make(store, LTL_ATOM, atom, 0); }

static Ltl negate(LtlStore *store, Ltl a) {
  LtlNode node = *ltl_node(store, a);
  switch (node.kind) {
  case LTL_FALSE: return ltl_true(store);
  case LTL_TRUE: return ltl_false(store);
  case LTL_ATOM: return make(store, LTL_NOT_ATOM, node.left, 0);
  case LTL_NOT_ATOM: return make(store, LTL_ATOM, node.left, 0);
  case LTL_NEXT: return ltl_next(store, ltl_not(store, node.left));
  default: break;
  }
  Ltl left = ltl_not(store, node.left), right = ltl_not(store, node.right);
  switch (node.kind) {
  case LTL_AND: return ltl_or(store, left, right);
  case LTL_OR: return ltl_and(store, left, right);
  case LTL_UNTIL: return ltl_release(store, left, right);
  default: return ltl_until(store, left, right);
  }
}

Ltl ltl_not(LtlStore *store, Ltl a) {
  assert(a < store->nodes.count && store->negations.count == store->nodes.count);
  if (store->negations.data[a] != LTL_NONE) return store->negations.data[a];
  Ltl negation = negate(store, a);
  store->negations.data[a] = negation;
  assert(negation != a);
  if (store->negations.data[negation] == LTL_NONE) store->negations.data[negation] = a;
  return negation;
}

Ltl ltl_and(LtlStore *store, Ltl a, Ltl b) {
  if (is_false(a) || is_false(b)) return ltl_false(store);
  if (is_true(a) || a == b) return b;
  if (is_true(b)) return a;
  return a < b ? make(store, LTL_AND, a, b) : make(store, LTL_AND, b, a);
}

Ltl ltl_or(LtlStore *store, Ltl a, Ltl b) {
  if (is_true(a) || is_true(b)) return ltl_true(store);
  if (is_false(a) || a == b) return b;
  if (is_false(b)) return a;
  return a < b ? make(store, LTL_OR, a, b) : make(store, LTL_OR, b, a);
}

Ltl ltl_next(LtlStore *store, Ltl a) { return is_false(a) || is_true(a) ? a : make(store, LTL_NEXT, a, 0); }

Ltl ltl_until(LtlStore *store, Ltl a, Ltl b) {
  if (is_false(b) || is_true(b) || a == b || is_false(a)) return b;
  return make(store, LTL_UNTIL, a, b);
}

Ltl ltl_release(LtlStore *store, Ltl a, Ltl b) {
  if (is_false(b) || is_true(b) || a == b || is_true(a)) return b;
  return make(store, LTL_RELEASE, a, b);
}

Ltl ltl_implies(LtlStore *store, Ltl a, Ltl b) { return ltl_or(store, ltl_not(store, a), b); }

Ltl ltl_equal(LtlStore *store, Ltl a, Ltl b) {
  return ltl_and(store, ltl_implies(store, a, b), ltl_implies(store, b, a));
}

Ltl ltl_weak_until(LtlStore *store, Ltl a, Ltl b) { return ltl_release(store, b, ltl_or(store, a, b)); }
Ltl ltl_finally(LtlStore *store, Ltl a) { return ltl_until(store, ltl_true(store), a); }
Ltl ltl_globally(LtlStore *store, Ltl a) { return ltl_release(store, ltl_false(store), a); }

Ltl ltl_chain(LtlStore *store, Ltl (*combine)(LtlStore *store, Ltl a, Ltl b), Ltl *operands, size_t count) {
  assert(count > 0);
  while (count > 1) { // neighbours become one
    size_t pairs = count / 2;
    for (size_t i = 0; i < pairs; i++) operands[i] = combine(store, operands[2 * i], operands[2 * i + 1]);
    if (count % 2) operands[pairs] = operands[count - 1];
    count = pairs + count % 2;
  }
  return operands[0];
}

void ltl_mark_parts(const LtlStore *store, Ltl a, ByteVector *parts) {
  ByteVector_clear(parts);
  ByteVector_resize(parts, (size_t)a + 1);
  parts->data[a] = 1;
  for (Ltl f = a + 1; f-- > 0;) { // operands come before what is made of them
    const LtlNode *node = ltl_node(store, f);
    if (!parts->data[f] || node->kind < LTL_AND) continue;
    parts->data[node->left] = 1;
    if (node->kind != LTL_NEXT) parts->data[node->right] = 1;
  }
}

bool ltl_has_next(const LtlStore *store, Ltl a) {
  ByteVector parts = {0};
  bool found = false;
  ltl_mark_parts(store, a, &parts);
  for (Ltl f = 0; f <= a && !found; f++) found = parts.data[f] && ltl_node(store, f)->kind == LTL_NEXT;
  ByteVector_free(&parts);
  return found;
}

static void print_binary(const LtlStore *store, const LtlNode *node, const char *between, const char *const *atoms,
                         Text *out) {
  text_add_char(out, '(');
  ltl_print(store, node->left, atoms, out);
  text_add(out, between);
  ltl_print(store, node->right, atoms, out);
  text_add_char(out, ')');
}

static void print_unary(const LtlStore *store, const char *word, Ltl operand, const char *const *atoms, Text *out) {
  text_add(out, word);
  ltl_print(store, operand, atoms, out);
}

void ltl_print(const LtlStore *store, Ltl a, const char *const *atoms, Text *out) {
  const LtlNode *node = ltl_node(store, a);
  switch (node->kind) {
  case LTL_FALSE: text_add(out, "false"); break;
  case LTL_TRUE: text_add(out, "true"); break;
  case LTL_ATOM: text_format(out, "(%s)", atoms[node->left]); break;
  case LTL_NOT_ATOM: text_format(out, "!(%s)", atoms[node->left]); break;
  case LTL_AND: print_binary(store, node, " && ", atoms, out); break;
  case LTL_OR: print_binary(store, node, " || ", atoms, out); break;
  case LTL_NEXT: print_unary(store, "X ", node->left, atoms, out); break;
  case LTL_UNTIL:
    if (is_true(node->left))
      print_unary(store, "F ", node->right, atoms, out);
    else
      print_binary(store, node, " U ", atoms, out);
    break;
  case LTL_RELEASE:
    if (is_false(node->left))
      print_unary(store, "G ", node->right, atoms, out);
    else
      print_binary(store, node, " R ", atoms, out);
    break;
  }
}

// --- words ---

static uint32_t after(const LtlWord *word, uint32_t position) {
  return position + 1 < word->length ? position + 1 : word->loop;
}

// The positions at which an UNTIL (a RELEASE) holds: a least (greatest) fixpoint, computed backwards until nothing
// changes.
static void fill_fixpoint(const LtlWord *word, const bool *left, const bool *right, bool least, bool *holds) {
  for (uint32_t i = 0; i < word->length; i++) holds[i] = !least;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = word->length; i-- > 0;) {
      bool next = holds[after(word, i)];
      bool now = least ? right[i] || (left[i] && next) : right[i] && (left[i] || next);
      changed |= now != holds[i];
      holds[i] = now;
    }
  }
}

static void fill(const LtlStore *store, const LtlWord *word, Ltl a, bool *table) {
  const LtlNode *node = ltl_node(store, a);
  bool *holds = table + (size_t)a * word->length;
  const bool *left = table + (size_t)node->left * word->length, *right = table + (size_t)node->right * word->length;
  for (uint32_t i = 0; i < word->length; i++) {
    switch (node->kind) {
    case LTL_FALSE: holds[i] = false; break;
    case LTL_TRUE: holds[i] = true; break;
    case LTL_ATOM: holds[i] = word->letters[i] >> node->left & 1; break;
    case LTL_NOT_ATOM: holds[i] = !(word->letters[i] >> node->left & 1); break;
    case LTL_AND: holds[i] = left[i] && right[i]; break;
    case LTL_OR: holds[i] = left[i] || right[i]; break;
    case LTL_NEXT: holds[i] = left[after(word, i)]; break;
    case LTL_UNTIL:
    case LTL_RELEASE: break;
    }
  }
  if (node->kind == LTL_UNTIL || node->kind == LTL_RELEASE)
    fill_fixpoint(word, left, right, node->kind == LTL_UNTIL, holds);
}

bool ltl_holds(const LtlStore *store, Ltl a, const LtlWord *word) {
  assert(word->length > 0 && word->loop < word->length);
  size_t bytes = ((size_t)a + 1) * word->length * sizeof(bool);
  bool *table = memory_allocate(NULL, bytes);
  ByteVector parts = {0};
  ltl_mark_parts(store, a, &parts);
  for (Ltl f = 0; f <= a; f++)
    if (parts.data[f]) fill(store, word, f, table);
  bool holds = table[(size_t)a * word->length];
  ByteVector_free(&parts);
  memory_free(NULL, table, bytes);
  return holds;
}
