#include "solver/model.h"

void model_init(Model *model, const TermStore *store, Account *account) {
  *model = (Model){.store = store};
  map_init(&model->positions, account);
  ModelValueVector_init(&model->values, account);
  TermVector_init(&model->stack, account);
}

void model_free(Model *model) {
  map_free(&model->positions);
  ModelValueVector_free(&model->values);
  TermVector_free(&model->stack);
}

void model_reset(Model *model, ModelSource source) {
  if (model->positions.count > 0) map_clear(&model->positions);
  ModelValueVector_clear(&model->values);
  model->source = source;
}

static void remember(Model *model, Term t, Bits bits) {
  map_put(&model->positions, t, model->values.count);
  ModelValueVector_push(&model->values, bits);
}

static bool recall(const Model *model, Term t, Bits *bits) {
  uint64_t position;
  if (!map_get(&model->positions, t, &position)) return false;
  *bits = model->values.data[position];
  return true;
}

// Constants and variables are read off; what reads or compares arrays is left to the term room as a whole.
static bool is_leaf(const TermStore *store, Term t) {
  unsigned arity = term_arity(store, t);
  for (unsigned i = 0; i < arity; i++) {
    if (sort_is_array(term_sort(store, term_child(store, t, i)))) return true;
  }
  return arity == 0;
}

// Computes the value from those of the children, or pushes the children that have none yet.
static void step(Model *model, Term t) {
  const TermStore *store = model->store;
  if (is_leaf(store, t)) {
    const ModelSource *source = &model->source;
    bool delegate = term_operator(store, t) == TERM_EQ && source->equality_of != NULL;
    remember(model, t,
             delegate ? source->equality_of(source->valuation.context, t)
                      : term_evaluate(store, t, &source->valuation));
    return;
  }
  unsigned arity = term_arity(store, t), widths[3] = {0, 0, 0};
  Bits children[3] = {0, 0, 0};
  bool ready = true;
  for (unsigned i = 0; i < arity; i++) {
    Term child = term_child(store, t, i);
    widths[i] = term_width(store, child);
    if (recall(model, child, &children[i])) continue;
    TermVector_push(&model->stack, child);
    ready = false;
  }
  if (!ready) return;
  TermOperator op = term_operator(store, t);
  unsigned high = op == TERM_EXTRACT ? term_parameter(store, t, 0) : 0;
  unsigned low = op == TERM_EXTRACT ? term_parameter(store, t, 1) : 0;
  remember(model, t, term_apply(op, term_width(store, t), widths, high, low, children));
}

Bits model_value(Model *model, Term t) {
  Bits bits = 0;
  if (recall(model, t, &bits)) return bits;
  assert(TermVector_empty(&model->stack));
  TermVector_push(&model->stack, t);
  while (!TermVector_empty(&model->stack)) {
    Term at = *TermVector_last(&model->stack);
    if (!recall(model, at, &bits)) step(model, at);
    if (recall(model, at, &bits)) TermVector_pop(&model->stack);
  }
  recall(model, t, &bits);
  return bits;
}
