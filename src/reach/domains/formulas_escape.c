// Path formulas: what a joined label must say about a step that was joined into it. The choices that select the step
// are put into the terms of the joined label. After that mostly nothing is left for a solver.
#include "reach/domains/formulas.h"

typedef struct Selected {
  Term choice, newest; // terms up to `newest` do not mention the choice
  bool arriving;
} Selected;
VECTOR(SelectedVector, Selected);

typedef struct Escape {
  Formulas *formulas;
  TermStore *terms;
  SelectedVector selected; // the choices, from the joined label down to the step
  Map caches;              // for one choice: term -> the term under it
  Trie condition, values;  // after the step
  Term failing;            // holds if the joined label does not contain the result of the step
} Escape;

// --- terms under known choices ---

// The term if the choice is made as selected.
static Term under(Escape *e, Term t, const Selected *selected) {
  TermStore *terms = e->terms;
  if (t == selected->choice) return term_bool(terms, selected->arriving);
  if (t <= selected->newest && term_operator(terms, t) == TERM_NOT && term_child(terms, t, 0) == selected->choice)
    return term_bool(terms, !selected->arriving);
  if (t <= selected->newest || term_arity(terms, t) == 0) return t;
  uint64_t known;
  if (map_get(&e->caches, t, &known)) return (Term)known;
  Term children[3];
  unsigned arity = term_arity(terms, t);
  for (unsigned i = 0; i < arity; i++) children[i] = under(e, term_child(terms, t, i), selected);
  Term result = term_rebuild(terms, t, children);
  map_put(&e->caches, t, result);
  return result;
}

// The term if all choices from index `first` on are made as selected.
static Term simplified(Escape *e, Term t, size_t first) {
  for (size_t i = first; i < e->selected.count; i++) {
    map_clear(&e->caches);
    t = under(e, t, &e->selected.data[i]);
  }
  return t;
}

// --- requirements ---

// Does the condition after the step contain the formula, or all its conjuncts?
static bool step_says(const Escape *e, Term formula) {
  if (term_is_true(e->terms, formula) || trie_get(&e->formulas->tries, e->condition, formula)) return true;
  return term_operator(e->terms, formula) == TERM_AND && step_says(e, term_child(e->terms, formula, 0)) &&
         step_says(e, term_child(e->terms, formula, 1));
}

// Requires that the formula holds after the step.
static void require(Escape *e, Term formula) {
  if (!step_says(e, formula)) e->failing = term_or(e->terms, e->failing, term_not(e->terms, formula));
}

static void require_literal(void *context, uint32_t literal, uint32_t joined, uint32_t step) {
  (void)step;
  Escape *e = context;
  if (joined) require(e, simplified(e, literal, 0));
}

static void require_value(void *context, uint32_t variable, uint32_t joined, uint32_t step) {
  Escape *e = context;
  Formulas *f = e->formulas;
  Term there = joined ? joined : path_value(f, TRIE_EMPTY, variable);
  Term here = step ? step : path_value(f, TRIE_EMPTY, variable);
  require(e, term_eq(e->terms, simplified(e, there, 0), here));
}

// Collects the choices that lead from the joined label down to the label of the step.
static void select_choices(Escape *e, LabelId joined, LabelId step) {
  while (joined != step) {
    PathLabel label = path_label_at(e->formulas, joined);
    assert(path_is_joined(&label));
    PathLabel arriving = path_label_at(e->formulas, label.arriving);
    bool arrives = label.arriving == step || (label.waiting != step && path_is_joined(&arriving));
    if (label.choice == TERM_NONE && arrives) return; // `waiting` stands for both, independently of choices below
    if (label.choice != TERM_NONE)
      SelectedVector_push(&e->selected, (Selected){label.choice, label.newest, .arriving = arrives});
    joined = arrives ? label.arriving : label.waiting;
  }
}

// A choice that is a new variable may have any value, so it is assumed as selected. A choice that is a literal must
// hold after the step by itself, so it is required.
static Term make_choices(Escape *e) {
  Term made = term_true(e->terms);
  for (size_t i = 0; i < e->selected.count; i++) {
    const Selected *s = &e->selected.data[i];
    Term literal = s->arriving ? s->choice : term_not(e->terms, s->choice);
    if (s->choice > s->newest)
      made = term_and(e->terms, made, literal);
    else
      require(e, simplified(e, literal, i + 1));
  }
  return made;
}

Term path_link_escape(Formulas *f, LabelId before_id, EdgeId edge, LabelId step_id, LabelId joined_id) {
  PathLabel before = path_label_at(f, before_id), step = path_label_at(f, step_id);
  PathLabel joined = path_label_at(f, joined_id);
  Escape e = {.formulas = f, .terms = f->terms, .condition = before.condition, .failing = term_false(f->terms)};
  path_enter(f, edge, before.values, step.first_instance);
  Term guard = path_seen(f, f->transitions->edges.data[edge].guard);
  if (!path_assume(f, &e.condition, guard)) return term_false(f->terms);
  e.values = path_values_after(f, edge, before.values);
  SelectedVector_init(&e.selected, f->instances.account);
  map_init(&e.caches, f->instances.account);
  select_choices(&e, joined_id, step_id);
  Term made = make_choices(&e);
  trie_compare(&f->tries, joined.condition, e.condition, require_literal, &e);
  trie_compare(&f->tries, joined.values, e.values, require_value, &e);
  map_free(&e.caches);
  SelectedVector_free(&e.selected);
  if (term_is_false(f->terms, e.failing)) return e.failing;
  return term_and(f->terms, path_conjunction(f, e.condition), term_and(f->terms, made, e.failing));
}
