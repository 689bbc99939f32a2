#include "explicit/ltl/ltl_automaton.h"

bool ltl_automaton_init(LtlAutomaton *a, const LtlStore *store, Ltl formula, Account *account) {
  *a = (LtlAutomaton){.account = account};
  promises_init(&a->promises, store, formula, account);
  U64Vector_init(&a->sets, account);
  map_init(&a->state_of, account);
  map_init(&a->moves_of, account);
  U64Vector_init(&a->ranges, account);
  AutomatonMoveVector_init(&a->moves, account);
  size_t formulas = (size_t)formula + 1;
  a->ways = memory_allocate_zeroed(account, formulas * sizeof *a->ways);
  for (size_t i = 0; i < formulas; i++) U64Vector_init(&a->ways[i], account);
  ByteVector_init(&a->has_ways, account);
  ByteVector_resize(&a->has_ways, formulas);
  U32Vector_init(&a->with_ways, account);
  U64Vector_push(&a->sets, 0); // before the first step
  return a->promises.promised.count <= MOST_PROMISES;
}

void ltl_automaton_free(LtlAutomaton *a) {
  size_t formulas = a->has_ways.count;
  for (size_t i = 0; i < formulas; i++) U64Vector_free(&a->ways[i]);
  memory_free(a->account, a->ways, formulas * sizeof *a->ways);
  U32Vector_free(&a->with_ways);
  ByteVector_free(&a->has_ways);
  AutomatonMoveVector_free(&a->moves);
  U64Vector_free(&a->ranges);
  map_free(&a->moves_of);
  map_free(&a->state_of);
  U64Vector_free(&a->sets);
  promises_free(&a->promises);
}

// Once it has answered true, what is being built is not complete, and is given up.
static bool is_stopped(const LtlAutomaton *a) {
  return a->budget != NULL && budget_exhausted(a->budget, "replay automaton");
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

static void add_all(const LtlAutomaton *a, const U64Vector *sets, U64Vector *out) {
  for (size_t i = 0; i < sets->count && !is_stopped(a); i++) add_smallest(out, sets->data[i]);
}

// One of each: all unions. `out` is cleared before.
static void unite(const LtlAutomaton *a, const U64Vector *x, const U64Vector *y, U64Vector *out) {
  assert(out != x && out != y);
  U64Vector_clear(out);
  for (size_t i = 0; i < x->count; i++)
    for (size_t k = 0; k < y->count; k++) {
      if (is_stopped(a)) return;
      add_smallest(out, x->data[i] | y->data[k]);
    }
}

static uint64_t promise_bit(const LtlAutomaton *a, Ltl formula) {
  assert(a->promises.promise_of.data[formula] < MOST_PROMISES);
  return UINT64_C(1) << a->promises.promise_of.data[formula];
}

static const U64Vector *ways_to_keep(LtlAutomaton *a, Ltl formula);

static void ways_of_two(LtlAutomaton *a, Ltl formula, U64Vector *out) {
  const LtlNode *node = ltl_node(a->promises.store, formula);
  const U64Vector *left = ways_to_keep(a, node->left), *right = ways_to_keep(a, node->right);
  U64Vector on; // the promise to go on
  U64Vector_init(&on, a->account);
  if (node->kind == LTL_UNTIL || node->kind == LTL_RELEASE) U64Vector_push(&on, promise_bit(a, formula));
  switch (node->kind) {
  case LTL_AND: unite(a, left, right, out); break;
  case LTL_OR:
    add_all(a, left, out);
    add_all(a, right, out);
    break;
  case LTL_UNTIL: // the right one, or the left one and so on
    unite(a, left, &on, out);
    add_all(a, right, out);
    break;
  default: // RELEASE: the right one, with the left one or so on
    add_all(a, left, &on);
    unite(a, right, &on, out);
    break;
  }
  U64Vector_free(&on);
}

// The smallest sets of promises with which the step keeps the formula on the letter. Formulas share parts, so each is
// done once.
static const U64Vector *ways_to_keep(LtlAutomaton *a, Ltl formula) {
  assert(formula < a->has_ways.count);
  U64Vector *out = &a->ways[formula];
  if (a->has_ways.data[formula]) return out;
  a->has_ways.data[formula] = 1;
  U32Vector_push(&a->with_ways, formula);
  const LtlNode *node = ltl_node(a->promises.store, formula);
  switch (node->kind) {
  case LTL_FALSE: break;
  case LTL_TRUE: U64Vector_push(out, 0); break;
  case LTL_ATOM:
  case LTL_NOT_ATOM:
    if ((a->ways_letter >> node->left & 1) == (node->kind == LTL_ATOM)) U64Vector_push(out, 0);
    break;
  case LTL_NEXT: U64Vector_push(out, promise_bit(a, node->left)); break;
  default: ways_of_two(a, formula, out); break;
  }
  return out;
}

static void forget_ways(LtlAutomaton *a) {
  for (size_t i = 0; i < a->with_ways.count; i++) {
    U64Vector_clear(&a->ways[a->with_ways.data[i]]);
    a->has_ways.data[a->with_ways.data[i]] = 0;
  }
  U32Vector_clear(&a->with_ways);
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
static void ways_to_move(LtlAutomaton *a, uint32_t state, U64Vector *out) {
  if (state == 0) {
    add_all(a, ways_to_keep(a, a->promises.formula), out);
    return;
  }
  U64Vector united;
  U64Vector_init(&united, a->account);
  U64Vector_push(out, 0);
  for (uint64_t left = a->sets.data[state]; left; left &= left - 1) {
    unite(a, out, ways_to_keep(a, a->promises.promised.data[__builtin_ctzll(left)]), &united);
    U64Vector swap = *out;
    *out = united;
    united = swap;
  }
  U64Vector_free(&united);
}

// The candidates, and those that bring about the UNTIL number `u` beside them.
static void bring_about(LtlAutomaton *a, size_t u, Candidates *c) {
  const LtlNode *until = ltl_node(a->promises.store, a->promises.promised.data[a->promises.untils.data[u]]);
  const U64Vector *come = ways_to_keep(a, until->right);
  Candidates old = *c;
  U64Vector_init(&c->sets, a->account);
  U64Vector_init(&c->fulfilled, a->account);
  for (size_t i = 0; i < old.sets.count && !is_stopped(a); i++) {
    bool comes = is_kept_by(come, old.sets.data[i]);
    add_candidate(c, old.sets.data[i], old.fulfilled.data[i] | (uint64_t)comes << u);
    for (size_t k = 0; k < come->count && !comes && !is_stopped(a); k++)
      add_candidate(c, old.sets.data[i] | come->data[k], old.fulfilled.data[i] | UINT64_C(1) << u);
  }
  U64Vector_free(&old.sets);
  U64Vector_free(&old.fulfilled);
}

// Beside the smallest sets, those that bring about an UNTIL, in all combinations.
static void find_candidates(LtlAutomaton *a, uint32_t state, Candidates *c) {
  U64Vector ways;
  U64Vector_init(&ways, a->account);
  ways_to_move(a, state, &ways);
  size_t untils = a->promises.untils.count;
  uint64_t all = untils == 0 ? 0 : UINT64_MAX >> (64 - untils), open = 0;
  for (size_t u = 0; u < untils; u++) open |= (a->sets.data[state] >> a->promises.untils.data[u] & 1) << u;
  for (size_t i = 0; i < ways.count && !is_stopped(a); i++) add_candidate(c, ways.data[i], all & ~open);
  U64Vector_free(&ways);
  for (size_t u = 0; u < untils; u++)
    if (open >> u & 1) bring_about(a, u, c);
}

static uint32_t intern_set(LtlAutomaton *a, uint64_t set) {
  uint64_t state;
  if (map_get(&a->state_of, set, &state)) return (uint32_t)state;
  map_put(&a->state_of, set, a->sets.count);
  U64Vector_push(&a->sets, set);
  return (uint32_t)a->sets.count - 1;
}

static void add_moves(LtlAutomaton *a, const Candidates *c) {
  assert(c->sets.count == c->fulfilled.count && a->moves.count <= UINT32_MAX);
  U64Vector_push(&a->ranges, (uint64_t)a->moves.count << 32 | c->sets.count);
  for (size_t i = 0; i < c->sets.count; i++) {
    AutomatonMove move = {.to = intern_set(a, c->sets.data[i]), .fulfilled = c->fulfilled.data[i]};
    AutomatonMoveVector_push(&a->moves, move);
  }
}

bool ltl_automaton_moves(LtlAutomaton *a, uint32_t state, uint64_t letter, uint32_t index, uint32_t *first,
                         uint32_t *count) {
  assert(state < a->sets.count);
  uint64_t key = (uint64_t)state << 32 | index, at;
  if (!map_get(&a->moves_of, key, &at)) {
    if (a->ways_letter != letter) forget_ways(a);
    a->ways_letter = letter;
    Candidates c;
    U64Vector_init(&c.sets, a->account);
    U64Vector_init(&c.fulfilled, a->account);
    find_candidates(a, state, &c);
    bool complete = a->budget == NULL || a->budget->reason == STOP_NONE;
    at = a->ranges.count;
    if (complete) {
      map_put(&a->moves_of, key, at);
      add_moves(a, &c);
    } else {
      forget_ways(a);
    }
    U64Vector_free(&c.fulfilled);
    U64Vector_free(&c.sets);
    if (!complete) return false;
  }
  *first = (uint32_t)(a->ranges.data[at] >> 32);
  *count = (uint32_t)a->ranges.data[at];
  assert((size_t)*first + *count <= a->moves.count);
  return true;
}
