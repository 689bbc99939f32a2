#include "ltl/promises.h"

static void add_promise(Promises *p, Ltl a) {
  if (p->promise_of.data[a] != NO_PROMISE) return;
  p->promise_of.data[a] = (uint32_t)p->promised.count;
  if (ltl_node(p->store, a)->kind == LTL_UNTIL) U32Vector_push(&p->untils, (uint32_t)p->promised.count);
  U32Vector_push(&p->promised, a);
}

static void find_promises(Promises *p, Ltl a, ByteVector *seen) {
  assert(a < seen->count);
  if (seen->data[a]) return;
  seen->data[a] = 1;
  const LtlNode *node = ltl_node(p->store, a);
  if (node->kind < LTL_AND) return;
  if (node->kind == LTL_NEXT) add_promise(p, node->left);
  if (node->kind == LTL_UNTIL || node->kind == LTL_RELEASE) add_promise(p, a);
  find_promises(p, node->left, seen);
  if (node->kind != LTL_NEXT) find_promises(p, node->right, seen);
}

void promises_init(Promises *p, const LtlStore *store, Ltl formula, Account *account) {
  assert(formula < store->nodes.count);
  *p = (Promises){.store = store, .formula = formula};
  U32Vector_init(&p->promised, account);
  U32Vector_init(&p->promise_of, account);
  U32Vector_init(&p->untils, account);
  for (Ltl a = 0; a <= formula; a++) U32Vector_push(&p->promise_of, NO_PROMISE);
  ByteVector seen;
  ByteVector_init(&seen, account);
  ByteVector_resize(&seen, (size_t)formula + 1);
  find_promises(p, formula, &seen);
  ByteVector_free(&seen);
}

void promises_free(Promises *p) {
  U32Vector_free(&p->untils);
  U32Vector_free(&p->promise_of);
  U32Vector_free(&p->promised);
}

static uint32_t promise_of(const Promises *p, Ltl a) {
  assert(p->promise_of.data[a] != NO_PROMISE);
  return p->promise_of.data[a];
}

static PromiseValue keep(const Promises *p, const PromiseGates *g, void *context, Ltl a, const U32Vector *kept) {
  const LtlNode *node = ltl_node(p->store, a);
  const PromiseValue *k = kept->data;
  switch (node->kind) {
  case LTL_FALSE: return g->constant(context, false);
  case LTL_TRUE: return g->constant(context, true);
  case LTL_ATOM: return g->atom(context, node->left, true);
  case LTL_NOT_ATOM: return g->atom(context, node->left, false);
  case LTL_AND: return g->both(context, k[node->left], k[node->right]);
  case LTL_OR: return g->either(context, k[node->left], k[node->right]);
  case LTL_NEXT: return g->guess(context, promise_of(p, node->left));
  case LTL_UNTIL: {
    PromiseValue on = g->both(context, k[node->left], g->guess(context, promise_of(p, a)));
    return g->either(context, k[node->right], on);
  }
  case LTL_RELEASE: {
    PromiseValue on = g->either(context, k[node->left], g->guess(context, promise_of(p, a)));
    return g->both(context, k[node->right], on);
  }
  }
  return 0;
}

void promises_keep(const Promises *p, const PromiseGates *gates, void *context, U32Vector *kept) {
  ByteVector parts = {0}; // the formulas of the store that are no part of this one have no promises
  ltl_mark_parts(p->store, p->formula, &parts);
  U32Vector_clear(kept);
  for (Ltl a = 0; a <= p->formula; a++)
    U32Vector_push(kept, parts.data[a] ? keep(p, gates, context, a, kept) : gates->constant(context, false));
  ByteVector_free(&parts);
}
