#include "reach/refine/precondition.h"

void preconditions_init(Preconditions *w, const Transitions *transitions, Solver *solver, Account *account) {
  assert(solver != NULL);
  *w = (Preconditions){.transitions = transitions, .terms = transitions->program->terms, .solver = solver};
  map_init(&w->parameters, account);
  map_init(&w->known, account);
  map_init(&w->substitution, account);
  map_init(&w->cache, account);
}

void preconditions_free(Preconditions *w) {
  map_free(&w->cache);
  map_free(&w->substitution);
  map_free(&w->known);
  map_free(&w->parameters);
}

static Term replace(Preconditions *w, Term formula, Term variable, Term value) {
  map_clear(&w->substitution);
  map_clear(&w->cache);
  map_put(&w->substitution, variable, value);
  return term_substitute(w->terms, formula, &w->substitution, &w->cache);
}

// A formula without `variable` that implies `formula` for all values of the variable. Literals that mention the
// variable become false.
static Term drop_variable(Preconditions *w, Term formula, Term variable) {
  if (!term_mentions(w->terms, formula, variable)) return formula;
  TermOperator op = term_operator(w->terms, formula);
  if (op == TERM_OR || op == TERM_AND) {
    Term a = drop_variable(w, term_child(w->terms, formula, 0), variable);
    Term b = drop_variable(w, term_child(w->terms, formula, 1), variable);
    return term_binary(w->terms, op, a, b);
  }
  if (op == TERM_NOT) { // not (a and b) is a disjunction of negations
    Term inside = term_child(w->terms, formula, 0);
    TermOperator inner = term_operator(w->terms, inside);
    if (inner == TERM_AND || inner == TERM_OR) {
      Term a = drop_variable(w, term_not(w->terms, term_child(w->terms, inside, 0)), variable);
      Term b = drop_variable(w, term_not(w->terms, term_child(w->terms, inside, 1)), variable);
      return term_binary(w->terms, inner == TERM_AND ? TERM_OR : TERM_AND, a, b);
    }
  }
  return term_false(w->terms);
}

// The disjuncts of a formula, negations pushed in as far as conjunctions go.
static void list_disjuncts(const Preconditions *w, Term formula, bool negated, TermVector *out) {
  TermOperator op = term_operator(w->terms, formula);
  if (op == TERM_NOT) {
    list_disjuncts(w, term_child(w->terms, formula, 0), !negated, out);
  } else if (op == (negated ? TERM_AND : TERM_OR)) {
    list_disjuncts(w, term_child(w->terms, formula, 0), negated, out);
    list_disjuncts(w, term_child(w->terms, formula, 1), negated, out);
  } else {
    TermVector_push(out, negated ? term_not(w->terms, formula) : formula);
  }
}

// If the formula is `x != e or rest`, it holds for all x exactly if the rest holds for x = e. TERM_NONE: the formula
// does not have this form.
static Term resolve_equality(Preconditions *w, Term formula, Term variable) {
  TermVector disjuncts;
  TermVector_init(&disjuncts, w->substitution.account);
  list_disjuncts(w, formula, false, &disjuncts);
  Term result = TERM_NONE;
  for (size_t i = 0; i < disjuncts.count && result == TERM_NONE; i++) {
    Term literal = disjuncts.data[i];
    if (term_operator(w->terms, literal) != TERM_NOT) continue;
    Term equality = term_child(w->terms, literal, 0);
    if (term_operator(w->terms, equality) != TERM_EQ) continue;
    Term a = term_child(w->terms, equality, 0), b = term_child(w->terms, equality, 1);
    if (b == variable) {
      b = a;
      a = variable;
    }
    if (a != variable || term_mentions(w->terms, b, variable)) continue;
    result = replace(w, formula, variable, b);
  }
  TermVector_free(&disjuncts);
  return result;
}

// Replaces the variable by a parameter that the formula does not mention yet.
static Term with_parameter(Preconditions *w, Term formula, Term variable) {
  for (uint64_t number = 0;; number++) {
    uint64_t key = (uint64_t)variable << 8 | number, known;
    if (number < 255 && map_get(&w->parameters, key, &known) && term_mentions(w->terms, formula, (Term)known)) continue;
    if (number == 255) return drop_variable(w, formula, variable);
    Term parameter = (Term)map_get_or(&w->parameters, key, TERM_NONE);
    if (parameter == TERM_NONE) {
      Sort sort = term_sort(w->terms, variable);
      parameter = term_variable(w->terms, sort, term_variable_name(w->terms, variable));
      map_put(&w->parameters, key, parameter);
    }
    return replace(w, formula, variable, parameter);
  }
}

// A formula that implies `formula` for all values of `variable`.
static Term for_all(Preconditions *w, Term formula, Term variable) {
  enum { WIDEST_SPLIT = 3 };
  unsigned width = term_width(w->terms, variable);
  if (width <= WIDEST_SPLIT) {
    Term all = term_true(w->terms);
    for (Bits v = 0; v < (Bits)1 << width; v++)
      all = term_and(w->terms, all, replace(w, formula, variable, term_constant(w->terms, width, v)));
    return all;
  }
  Term resolved = resolve_equality(w, formula, variable);
  if (resolved != TERM_NONE) return resolved;
  Term negation = term_not(w->terms, formula);
  if (solver_check(w->solver, &negation, 1) == SOLVER_UNSAT) return term_true(w->terms);
  return w->exact ? with_parameter(w, formula, variable) : drop_variable(w, formula, variable);
}

static Term for_all_fresh(Preconditions *w, EdgeId edge, Term formula) {
  const Transition *transition = &w->transitions->edges.data[edge];
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    Term fresh = w->transitions->fresh.data[transition->first_fresh + i];
    if (term_mentions(w->terms, formula, fresh)) formula = for_all(w, formula, fresh);
  }
  return formula;
}

static Term compute(Preconditions *w, EdgeId edge, Term formula, bool guarded) {
  const Transitions *t = w->transitions;
  const Transition *transition = &t->edges.data[edge];
  map_clear(&w->substitution);
  map_clear(&w->cache);
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = &t->updates.data[transition->first_update + i];
    map_put(&w->substitution, update->variable, update->value);
  }
  Term before = term_substitute(w->terms, formula, &w->substitution, &w->cache);
  if (guarded) before = term_implies(w->terms, transition->guard, before);
  return for_all_fresh(w, edge, before);
}

Term precondition(Preconditions *w, EdgeId edge, Term formula, bool guarded) {
  assert(edge < w->transitions->edges.count && formula != TERM_NONE);
  enum { MOST_KNOWN = 1 << 20 };
  if (w->exact) return compute(w, edge, formula, guarded);
  uint64_t key = (uint64_t)edge << 33 | (uint64_t)guarded << 32 | formula, known;
  if (map_get(&w->known, key, &known)) return (Term)known;
  Term before = compute(w, edge, formula, guarded);
  if (w->known.count >= MOST_KNOWN) map_clear(&w->known);
  map_put(&w->known, key, before);
  return before;
}

Term precondition_excludes(Preconditions *w, EdgeId edge, Term condition) {
  assert(edge < w->transitions->edges.count && condition != TERM_NONE);
  return for_all_fresh(w, edge, term_not(w->terms, condition));
}
