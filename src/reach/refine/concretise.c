#include "reach/refine/concretise.h"

#include <assert.h>

enum { LARGEST_LABEL = 80 };

typedef struct Filling {
  Walk *walk;
  TermStore *terms;
  TermVector variables;
  TermVector values; // TERM_NONE: the variable stays
  Map *choosers;     // variables in the conditions of an ite
} Filling;

static void add_variable(void *context, Term variable) { TermVector_push(context, variable); }

static bool is_address(const Walk *walk, Term value) {
  const Program *p = walk->transitions->program;
  if (term_width(walk->terms, value) != p->pointer_width) return false;
  return program_object_at(p, (uint64_t)term_constant_value(walk->terms, value)) != NO_ID;
}

static void add_chooser(void *context, Term variable) { map_put(((Filling *)context)->choosers, variable, 1); }

static void add_choosers(void *context, Term condition) {
  term_each_variable(((Filling *)context)->terms, condition, add_chooser, context);
}

// The formula with variables replaced by their values.
static Term fill_in(const Filling *f, Term formula) {
  assert(f->values.count == f->variables.count);
  Map map;
  map_init(&map, f->walk->account);
  for (size_t i = 0; i < f->variables.count; i++)
    if (f->values.data[i] != TERM_NONE) map_put(&map, f->variables.data[i], f->values.data[i]);
  Term filled = term_substitute(f->terms, formula, &map, NULL);
  map_free(&map);
  return filled;
}

// The conjunction of the filled formula and of the equations `variable = value` that are needed to imply the formula.
static Term add_equations(Filling *f, Term formula, Term filled) {
  Term result = filled;
  for (size_t i = 0; i < f->variables.count; i++) {
    Term value = f->values.data[i];
    if (value == TERM_NONE) continue;
    f->values.data[i] = TERM_NONE; // try without it
    if (fill_in(f, formula) == filled) continue;
    f->values.data[i] = value;
    result = term_and(f->terms, result, term_eq(f->terms, f->variables.data[i], value));
  }
  return result;
}

static Term fill_with(Filling *f, Term formula, bool all) {
  TermVector_clear(&f->variables);
  TermVector_clear(&f->values);
  term_each_variable(f->terms, formula, add_variable, &f->variables);
  bool any = false;
  for (size_t i = 0; i < f->variables.count; i++) {
    Term value = walk_value(f->walk, f->variables.data[i]);
    bool known = term_is_constant(f->terms, value) &&
                 (all || is_address(f->walk, value) || map_contains(f->choosers, f->variables.data[i]));
    TermVector_push(&f->values, known ? value : TERM_NONE);
    any |= known;
  }
  if (!any) return formula;
  Term filled = fill_in(f, formula);
  size_t size = term_dag_size(f->terms, formula);
  if (term_is_false(f->terms, filled) || (all && term_dag_size(f->terms, filled) * 2 > size)) return formula;
  return add_equations(f, formula, filled);
}

// Is the formula an equation of the kind that add_equations makes?
static bool is_value(const TermStore *terms, Term formula) {
  if (term_operator(terms, formula) != TERM_EQ) return false;
  Term a = term_child(terms, formula, 0), b = term_child(terms, formula, 1);
  return (term_operator(terms, a) == TERM_VARIABLE && term_is_constant(terms, b)) ||
         (term_operator(terms, b) == TERM_VARIABLE && term_is_constant(terms, a));
}

Term concretise(Walk *walk, NodeId node, Term formula) {
  if (term_is_constant(walk->terms, formula) || is_value(walk->terms, formula)) return formula;
  Filling f = {.walk = walk, .terms = walk->terms};
  walk_to(walk, node);
  TermVector_init(&f.variables, walk->account);
  TermVector_init(&f.values, walk->account);
  Map choosers;
  map_init(&choosers, walk->account);
  f.choosers = &choosers;
  term_each_condition(f.terms, formula, add_choosers, &f);
  formula = fill_with(&f, formula, false);
  if (term_dag_size(f.terms, formula) > LARGEST_LABEL) formula = fill_with(&f, formula, true);
  map_free(&choosers);
  TermVector_free(&f.values);
  TermVector_free(&f.variables);
  return formula;
}

static bool is_arithmetic(const TermStore *terms, Term t) {
  switch (term_operator(terms, t)) {
  case TERM_NEG:
  case TERM_ADD:
  case TERM_SUB:
  case TERM_MUL:
  case TERM_UDIV:
  case TERM_UREM:
  case TERM_SDIV:
  case TERM_SREM:
  case TERM_SHL: return true;
  default: return false;
  }
}

static bool compares_sums(const TermStore *terms, Term t) {
  switch (term_operator(terms, t)) {
  case TERM_EQ:
  case TERM_ULT:
  case TERM_ULE:
  case TERM_SLT:
  case TERM_SLE: return is_arithmetic(terms, term_child(terms, t, 0)) || is_arithmetic(terms, term_child(terms, t, 1));
  default: return false;
  }
}

Term concretise_sum(Walk *walk, NodeId node, Term formula) {
  if (!compares_sums(walk->terms, formula)) return formula;
  TermVector variables;
  TermVector_init(&variables, walk->account);
  term_each_variable(walk->terms, formula, add_variable, &variables);
  walk_to(walk, node);
  Term values = variables.count > 1 ? term_true(walk->terms) : formula;
  for (size_t i = 0; i < variables.count && values != formula; i++) {
    Term value = walk_value(walk, variables.data[i]);
    bool known = term_is_constant(walk->terms, value);
    values = known ? term_and(walk->terms, values, term_eq(walk->terms, variables.data[i], value)) : formula;
  }
  TermVector_free(&variables);
  return values;
}
