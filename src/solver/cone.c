#include "solver/cone.h"

void cone_init(ConeCheck *check, const TermStore *store, bool (*interesting)(const TermStore *, Term),
               bool (*unwanted)(const TermStore *, Term), Account *account) {
  *check = (ConeCheck){.store = store, .interesting = interesting, .unwanted = unwanted};
  map_init(&check->clean, account);
  map_init(&check->unclean, account);
  TermVector_init(&check->stack, account);
}

void cone_free(ConeCheck *check) {
  map_free(&check->clean);
  map_free(&check->unclean);
  TermVector_free(&check->stack);
}

bool cone_is_clean(ConeCheck *check, Term t) {
  if (!check->interesting(check->store, t) || map_contains(&check->clean, t)) return true;
  if (map_contains(&check->unclean, t)) return false;
  Map seen; // clean only if the whole walk finds nothing
  map_init(&seen, check->stack.account);
  TermVector_push(&check->stack, t);
  bool clean = true;
  while (clean && !TermVector_empty(&check->stack)) {
    Term at = TermVector_pop(&check->stack);
    if (!check->interesting(check->store, at) || map_contains(&seen, at) || map_contains(&check->clean, at)) continue;
    map_put(&seen, at, 1);
    clean = !check->unwanted(check->store, at);
    unsigned arity = term_arity(check->store, at);
    for (unsigned i = 0; i < arity; i++) TermVector_push(&check->stack, term_child(check->store, at, i));
  }
  TermVector_clear(&check->stack);
  for (size_t i = 0; clean && i < seen.capacity; i++) {
    if (seen.entries[i].used) map_put(&check->clean, seen.entries[i].key, 1);
  }
  if (!clean) map_put(&check->unclean, t, 1);
  map_free(&seen);
  return clean;
}
