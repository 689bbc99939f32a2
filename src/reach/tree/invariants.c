#include "reach/tree/invariants.h"

#include <assert.h>

enum { MOST_NODES_IN_FORMULA = 60 }; // shared parts are printed several times, and larger formulas are unreadable

static void print_place(const Explorer *x, ControlId control, Text *out) {
  const Program *p = x->program;
  bool first = true;
  for (ThreadId t = 0; t < x->controls.thread_count; t++) {
    LocationId at = control_at(&x->controls, control, t);
    if (at == NO_ID) continue;
    const Location *location = &p->locations.data[at];
    text_format(out, "%s%s", first ? "" : ", ", p->threads.data[t].path);
    first = false;
    if (location->final)
      text_add(out, " ended");
    else if (location->position.line > 0)
      text_format(out, " at line %u (%u)", (unsigned)location->position.line, (unsigned)at);
    else
      text_format(out, " at (%u)", (unsigned)at);
  }
}

// The disjunction of the labels of the nodes at a control vector that are neither covered nor goals; false: there are
// none.
static Term invariant_of(const Explorer *x, ControlId control) {
  assert(control < x->tree.newest.count);
  Term invariant = term_false(x->terms);
  for (NodeId n = x->tree.newest.data[control]; n != NO_ID; n = tree_node(&x->tree, n)->same_control) {
    if (tree_is_covered(&x->tree, n) || tree_node(&x->tree, n)->goal) continue;
    invariant = term_or(x->terms, invariant, x->domain->operations->formula(x->domain, tree_node(&x->tree, n)->label));
  }
  return invariant;
}

typedef struct Parameters {
  const Explorer *explorer;
  Text *out;
} Parameters;

static void print_parameter(void *context, Term variable) {
  Parameters *p = context;
  if (term_variable_index(p->explorer->terms, variable) < p->explorer->transitions.state_limit) return;
  text_format(p->out, "for all %s: ", term_variable_name(p->explorer->terms, variable));
}

void invariants_print(const Explorer *x, Text *out) {
  if (domain_counts_iterations(x->domain)) {
    text_format(out, "every path was followed; loops ended after at most %u iterations\n",
                (unsigned)x->statistics.iterations);
    return;
  }
  for (ControlId c = 0; c < x->tree.newest.count; c++) {
    Term invariant = invariant_of(x, c);
    if (term_is_false(x->terms, invariant) || term_is_true(x->terms, invariant)) continue;
    print_place(x, c, out);
    text_add(out, ": ");
    if (term_dag_size(x->terms, invariant) > MOST_NODES_IN_FORMULA) {
      text_add(out, "(a formula too large to print)");
    } else {
      Parameters parameters = {.explorer = x, .out = out};
      term_each_variable(x->terms, invariant, print_parameter, &parameters);
      term_print_c(x->terms, invariant, out);
    }
    text_add_char(out, '\n');
  }
}
