#include "replay/ltl_automaton.h"

bool ltl_automaton_init(LtlAutomaton *a, const LtlStore *store, Ltl formula, Account *account) {
  *a = (LtlAutomaton){.account = account};
  promises_init(&a->promises, store, formula, account);
  U64Vector_init(&a->sets, account);
  map_init(&a->state_of, account);
  map_init(&a->moves_of, account);
  U64Vector_init(&a->ranges, account);
  AutomatonMoveVector_init(&a->moves, account);
  U64Vector_push(&a->sets, 0); // before the first step
  return a->promises.promised.count <= MOST_PROMISES;
}

void ltl_automaton_free(LtlAutomaton *a) {
  AutomatonMoveVector_free(&a->moves);
  U64Vector_free(&a->ranges);
  map_free(&a->moves_of);
  map_free(&a->state_of);
  U64Vector_free(&a->sets);
  promises_free(&a->promises);
}

// --- families of sets: the smallest ones that do ---

static void add_smallest(U64Vector *family, uint64_t set) {
  size_t kept = 0;
  for (size_t i = 0; i < family->count; i++) {
    if ((family->data[i] & ~set) == 0) return; // a part of the new one does already, so nothing was dropped before
    if (set & ~family->data[i]) family->data[kept++] = family->data[i];
  }
  family->count = kept;
  U64Vector_push(family, set);
}

// One of each: all unions. `out` is cleared before.
static void unite(const U64Vector *x, const U64Vector *y, U64Vector *out) {
  U64Vector_clear(out);
  for (size_t i = 0; i < x->count; i++)
    for (size_t k = 0; k < y->count; k++) add_smallest(out, x->data[i] | y->data[k]);
}

static uint64_t promise_bit(const LtlAutomaton *a, Ltl formula) {
  return UINT64_C(1) << a->promises.promise_of.data[formula];
}

static void ways_to_keep(const LtlAutomaton *a, Ltl formula, uint64_t letter, U64Vector *out);

static void ways_of_two(const LtlAutomaton *a, Ltl formula, uint64_t letter, U64Vector *out) {
  const LtlNode *node = ltl_node(a->promises.store, formula);
  U64Vector left, right, on, both;
  U64Vector *const families[] = {&left, &right, &on, &both};
  for (size_t i = 0; i < 4; i++) U64Vector_init(families[i], a->account);
  ways_to_keep(a, node->left, letter, &left);
  ways_to_keep(a, node->right, letter, &right);
  if (node->kind == LTL_UNTIL || node->kind == LTL_RELEASE) U64Vector_push(&on, promise_bit(a, formula));
  switch (node->kind) {
  case LTL_AND: unite(&left, &right, out); break;
  case LTL_OR:
    for (size_t i = 0; i < left.count; i++) add_smallest(out, left.data[i]);
    for (size_t i = 0; i < right.count; i++) add_smallest(out, right.data[i]);
    break;
  case LTL_UNTIL: // the right one, or the left one and so on
    unite(&left, &on, out);
    for (size_t i = 0; i < right.count; i++) add_smallest(out, right.data[i]);
    break;
  default: // RELEASE: the right one, with the left one or so on
    for (size_t i = 0; i < left.count; i++) add_smallest(&on, left.data[i]);
    unite(&right, &on, out);
    break;
  }
  for (size_t i = 0; i < 4; i++) U64Vector_free(families[i]);
}

// The smallest sets of promises with which the step keeps the formula; `out` is empty before.
static void ways_to_keep(const LtlAutomaton *a, Ltl formula, uint64_t letter, U64Vector *out) {
  const LtlNode *node = ltl_node(a->promises.store, formula);
  switch (node->kind) {
  case LTL_FALSE: break;
  case LTL_TRUE: U64Vector_push(out, 0); break;
  case LTL_ATOM:
  case LTL_NOT_ATOM:
    if ((letter >> node->left & 1) == (node->kind == LTL_ATOM)) U64Vector_push(out, 0);
    break;
  case LTL_NEXT: U64Vector_push(out, promise_bit(a, node->left)); break;
  default: ways_of_two(a, formula, letter, out); break;
  }
}

static bool is_kept_by(const U64Vector *ways, uint64_t promises) {
  for (size_t i = 0; i < ways->count; i++)
    if ((ways->data[i] & ~promises) == 0) return true;
  return false;
}

// --- moves ---

typedef struct Candidates {
  U64Vector sets, fulfilled;
} Candidates;

static void add_candidate(Candidates *c, uint64_t set, uint64_t fulfilled) {
  size_t kept = 0;
  for (size_t i = 0; i < c->sets.count; i++) {
    uint64_t other = c->sets.data[i], done = c->fulfilled.data[i];
    if ((other & ~set) == 0 && (fulfilled & ~done) == 0) return; // better already; then it is better than none here
    if ((set & ~other) == 0 && (done & ~fulfilled) == 0) continue;
    c->sets.data[kept] = other;
    c->fulfilled.data[kept++] = done;
  }
  c->sets.count = c->fulfilled.count = kept;
  U64Vector_push(&c->sets, set);
  U64Vector_push(&c->fulfilled, fulfilled);
}

// The smallest sets that keep all that was promised.
static void ways_to_move(const LtlAutomaton *a, uint32_t state, uint64_t letter, U64Vector *out) {
  if (state == 0) {
    ways_to_keep(a, a->promises.formula, letter, out);
    return;
  }
  U64Vector one, united;
  U64Vector_init(&one, a->account);
  U64Vector_init(&united, a->account);
  U64Vector_push(out, 0);
  for (uint64_t left = a->sets.data[state]; left; left &= left - 1) {
    U64Vector_clear(&one);
    ways_to_keep(a, a->promises.promised.data[__builtin_ctzll(left)], letter, &one);
    unite(out, &one, &united);
    U64Vector swap = *out;
    *out = united;
    united = swap;
  }
  U64Vector_free(&united);
  U64Vector_free(&one);
}

// Beside the smallest sets, those that bring about an UNTIL, in all combinations.
static void find_candidates(const LtlAutomaton *a, uint32_t state, uint64_t letter, Candidates *c) {
  U64Vector ways, come;
  U64Vector_init(&ways, a->account);
  U64Vector_init(&come, a->account);
  ways_to_move(a, state, letter, &ways);
  uint64_t all = a->promises.untils.count == 0 ? 0 : UINT64_MAX >> (64 - a->promises.untils.count);
  uint64_t open = 0;
  for (size_t u = 0; u < a->promises.untils.count; u++)
    open |= (a->sets.data[state] >> a->promises.untils.data[u] & 1) << u;
  for (size_t i = 0; i < ways.count; i++) add_candidate(c, ways.data[i], all & ~open);
  for (size_t u = 0; u < a->promises.untils.count; u++) {
    if (!(open >> u & 1)) continue;
    const LtlNode *until = ltl_node(a->promises.store, a->promises.promised.data[a->promises.untils.data[u]]);
    U64Vector_clear(&come);
    ways_to_keep(a, until->right, letter, &come);
    Candidates old = *c;
    U64Vector_init(&c->sets, a->account);
    U64Vector_init(&c->fulfilled, a->account);
    for (size_t i = 0; i < old.sets.count; i++) {
      bool comes = is_kept_by(&come, old.sets.data[i]);
      add_candidate(c, old.sets.data[i], old.fulfilled.data[i] | (uint64_t)comes << u);
      for (size_t k = 0; k < come.count && !comes; k++)
        add_candidate(c, old.sets.data[i] | come.data[k], old.fulfilled.data[i] | UINT64_C(1) << u);
    }
    U64Vector_free(&old.sets);
    U64Vector_free(&old.fulfilled);
  }
  U64Vector_free(&come);
  U64Vector_free(&ways);
}

static uint32_t intern_set(LtlAutomaton *a, uint64_t set) {
  uint64_t state;
  if (map_get(&a->state_of, set, &state)) return (uint32_t)state;
  map_put(&a->state_of, set, a->sets.count);
  U64Vector_push(&a->sets, set);
  return (uint32_t)a->sets.count - 1;
}

void ltl_automaton_moves(LtlAutomaton *a, uint32_t state, uint64_t letter, uint32_t index, uint32_t *first,
                         uint32_t *count) {
  uint64_t key = (uint64_t)state << 32 | index, at;
  if (!map_get(&a->moves_of, key, &at)) {
    Candidates c;
    U64Vector_init(&c.sets, a->account);
    U64Vector_init(&c.fulfilled, a->account);
    find_candidates(a, state, letter, &c);
    at = a->ranges.count;
    map_put(&a->moves_of, key, at);
    U64Vector_push(&a->ranges, (uint64_t)a->moves.count << 32 | c.sets.count);
    for (size_t i = 0; i < c.sets.count; i++) {
      AutomatonMove move = {.to = intern_set(a, c.sets.data[i]), .fulfilled = c.fulfilled.data[i]};
      AutomatonMoveVector_push(&a->moves, move);
    }
    U64Vector_free(&c.fulfilled);
    U64Vector_free(&c.sets);
  }
  *first = (uint32_t)(a->ranges.data[at] >> 32);
  *count = (uint32_t)a->ranges.data[at];
}
