#include "reach/invariants.h"

enum { MOST_NODES_IN_FORMULA = 60 }; // shared parts are printed again and again, and larger ones nobody reads

static void print_place(const Impact *impact, ControlId control, Text *out) {
  const Program *p = impact->program;
  bool first = true;
  for (ThreadId t = 0; t < impact->controls.thread_count; t++) {
    LocationId at = control_at(&impact->controls, control, t);
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

// The disjunction of what the nodes that stand at a control vector say. False: none of them does.
static Term invariant_of(const Impact *impact, ControlId control) {
  Term invariant = term_false(impact->terms);
  for (NodeId n = impact->tree.newest.data[control]; n != NO_ID; n = tree_node(&impact->tree, n)->same_control) {
    if (tree_is_covered(&impact->tree, n) || tree_node(&impact->tree, n)->goal) continue;
    invariant =
        term_or(impact->terms, invariant, conjunction_term(&impact->labels, tree_node(&impact->tree, n)->label));
  }
  return invariant;
}

void invariants_print(const Impact *impact, Text *out) {
  for (ControlId c = 0; c < impact->tree.newest.count; c++) {
    Term invariant = invariant_of(impact, c);
    if (term_is_false(impact->terms, invariant) || term_is_true(impact->terms, invariant)) continue;
    print_place(impact, c, out);
    text_add(out, ": ");
    if (term_dag_size(impact->terms, invariant) > MOST_NODES_IN_FORMULA)
      text_add(out, "(a formula too large to print)");
    else
      term_print_c(impact->terms, invariant, out);
    text_add_char(out, '\n');
  }
}
