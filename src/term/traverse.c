// Walks over the subterms of a term, each once, with an explicit stack.
#include "term/term_internal.h"

// Calls `enter` for each subterm once, parents before children, left to right; `enter` says whether to go on below.
static void walk(const TermStore *store, Term t, bool (*enter)(void *context, Term t), void *context) {
  Memo seen;
  memo_begin(&seen, store);
  TermVector stack;
  TermVector_init(&stack, store->account);
  TermVector_push(&stack, t);
  while (stack.count) {
    Term current = TermVector_pop(&stack);
    if (memo_has(&seen, current)) continue;
    memo_put(&seen, current, 0);
    if (!enter(context, current)) continue;
    for (unsigned i = term_arity(store, current); i-- > 0;) TermVector_push(&stack, child_of(store, current, i));
  }
  TermVector_free(&stack);
  memo_end(&seen);
}

typedef struct VariableVisit {
  const TermStore *store;
  void (*visit)(void *context, Term variable);
  void *context;
} VariableVisit;

static bool enter_for_variables(void *context, Term t) {
  const VariableVisit *visit = context;
  if (is_operator(visit->store, t, TERM_VARIABLE)) visit->visit(visit->context, t);
  return true;
}

void term_each_variable(const TermStore *store, Term t, void (*visit)(void *context, Term variable), void *context) {
  VariableVisit state = {.store = store, .visit = visit, .context = context};
  walk(store, t, enter_for_variables, &state);
}

static bool enter_for_conditions(void *context, Term t) {
  VariableVisit *state = context;
  if (term_operator(state->store, t) == TERM_ITE) state->visit(state->context, term_child(state->store, t, 0));
  return true;
}

void term_each_condition(const TermStore *store, Term t, void (*visit)(void *context, Term condition), void *context) {
  VariableVisit state = {.store = store, .visit = visit, .context = context};
  walk(store, t, enter_for_conditions, &state);
}

typedef struct Mention {
  Term variable;
  bool found;
} Mention;

static bool enter_for_mention(void *context, Term t) {
  Mention *mention = context;
  if (t == mention->variable) mention->found = true;
  return !mention->found && t > mention->variable; // children are older than their parents
}

bool term_mentions(const TermStore *store, Term t, Term variable) {
  Mention mention = {.variable = variable};
  walk(store, t, enter_for_mention, &mention);
  return mention.found;
}

static bool enter_for_count(void *context, Term t) {
  (void)t;
  ++*(size_t *)context;
  return true;
}

size_t term_dag_size(const TermStore *store, Term t) {
  size_t count = 0;
  walk(store, t, enter_for_count, &count);
  return count;
}

// --- substitution ---

// The result for `t` if it is known without looking below.
static bool substituted(const TermStore *store, Term t, const Map *map, const Map *cache, Term *result) {
  uint64_t found;
  if (map_get(map, t, &found) || map_get(cache, t, &found)) {
    *result = (Term)found;
    return true;
  }
  *result = t;
  return term_arity(store, t) == 0;
}

// Pushes the children that have no result yet; without any, computes the result of the term on top.
static void substitute_top(TermStore *store, TermVector *stack, const Map *map, Map *cache) {
  Term t = *TermVector_last(stack), children[3], result;
  size_t top = stack->count - 1;
  if (substituted(store, t, map, cache, &result)) {
    stack->count = top;
    return;
  }
  unsigned arity = term_arity(store, t);
  bool changed = false;
  for (unsigned i = 0; i < arity; i++) {
    Term child = child_of(store, t, i);
    if (!substituted(store, child, map, cache, &children[i])) TermVector_push(stack, child);
    changed = changed || children[i] != child;
  }
  if (stack->count > top + 1) return;
  map_put(cache, t, changed ? term_rebuild(store, t, children) : t);
  stack->count = top;
}

Term term_substitute(TermStore *store, Term t, const Map *map, Map *cache) {
  Map local;
  map_init(&local, store->account);
  if (!cache) cache = &local;
  TermVector stack;
  TermVector_init(&stack, store->account);
  TermVector_push(&stack, t);
  while (stack.count) substitute_top(store, &stack, map, cache);
  TermVector_free(&stack);
  Term result;
  bool known = substituted(store, t, map, cache, &result);
  assert(known);
  (void)known;
  map_free(&local);
  return result;
}

void term_list_conjuncts(const TermStore *store, Term formula, TermVector *out) {
  size_t next = out->count;
  TermVector_push(out, formula);
  while (next < out->count) { // a conjunction makes room for its parts
    Term t = out->data[next];
    if (term_operator(store, t) != TERM_AND) {
      next++;
      continue;
    }
    out->data[next] = term_child(store, t, 0);
    TermVector_push(out, term_child(store, t, 1));
  }
}
